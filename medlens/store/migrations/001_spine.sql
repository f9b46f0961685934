create sequence if not exists log_seq;

create table item (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  study text not null, kind text not null, dataset text not null, name text not null,
  digest text not null, body {json} not null, illustrative boolean not null,
  unique (study, dataset, name));

create table item_alias (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, name text not null, preferred boolean not null, unique (item, name));

create table rater (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  handle text not null unique, kind text not null, name text not null, email text, origin text not null);

create table rater_role (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  rater text not null, revision integer not null, role text not null, made_by text not null,
  unique (rater, revision));

create table task_setting (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, revision integer not null, body {json} not null,
  made_by text not null, unique (task, dataset, revision));

create table assignment (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, slot integer not null,
  generation integer not null, gold boolean not null, lease_until timestamptz not null,
  unique (task, item, rater), unique (task, item, slot, generation));

create table assignment_event (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, kind text not null,
  reason text not null, lease_until timestamptz);

create table draft (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, revision integer not null,
  body {json} not null,
  active_seconds double precision not null, idle_seconds double precision not null,
  unique (task, item, rater, revision));

create table judgment (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, revision integer not null,
  body {json} not null, blind boolean not null, origin text not null, complete boolean not null,
  active_seconds double precision, idle_seconds double precision,
  unique (task, item, rater, revision));

create table reveal (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, unique (task, item, rater));

create table gold (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, revision integer not null, body {json} not null,
  active boolean not null, made_by text not null, unique (task, item, revision));

create table adjudication (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, revision integer not null, body {json} not null,
  reason text not null, made_by text not null, unique (task, item, revision));

create table reference (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, source text not null, body {json} not null,
  unique (task, item, source));

create table survey (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  form text not null, rater text not null, revision integer not null, body {json} not null,
  origin text not null, unique (form, rater, revision));

create table import_log (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  kind text not null, dataset text not null, file text not null, digest text not null,
  added integer not null, known integer not null, refused integer not null, made_by text not null);

create table open_code (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, rater text not null, revision integer not null, body {json} not null,
  unique (item, rater, revision));

create table job (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  command text not null)
