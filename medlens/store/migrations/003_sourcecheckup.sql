create table sc_question (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, name text not null, question text not null, source_group text not null,
  answer text not null, document text not null, document_url text not null, origin text not null,
  unique (dataset, name));

create table sc_response (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, name text not null, question text not null, model text not null,
  outcome text not null, response text not null, raw text not null, reason text not null,
  run text not null, origin text not null, unique (dataset, name));

create table sc_citation (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, response text not null, n integer not null, url text not null,
  unique (response, n));

create table sc_parse (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, response text not null unique, model text not null, run text not null,
  origin text not null);

create table sc_statement (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, name text not null, response text not null, n integer not null,
  statement text not null, unique (dataset, name));

create table sc_source (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, url text not null, revision integer not null, outcome text not null,
  status integer, reason text not null, final_url text not null, content_type text not null,
  title text not null, headers {json} not null, redirects {json} not null, fetched_at timestamptz,
  seconds double precision, bytes bigint, characters bigint not null, tokens bigint,
  digest text not null, text text{plain} not null, existed text not null, run text not null,
  origin text not null);

create table sc_cleanup (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, statement text not null, url text not null, action text not null,
  text text not null, reason text not null, model text not null, run text not null,
  origin text not null);

create table sc_recheck (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  cleanup text not null, rater text not null, revision integer not null, body {json} not null,
  run text not null, unique (cleanup, rater, revision));

create table selection (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, item text not null, drawn text not null,
  made_by text not null, unique (task, item))
