create table run (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  study text not null, kind text not null, config {json} not null, digest text not null,
  made_by text not null);

create table run_event (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  run text not null, kind text not null, reason text not null, body {json} not null);

create table run_item (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  run text not null, job text not null, revision integer not null, outcome text not null,
  body {json} not null, calls integer not null, unique (run, job, revision));

create table completion (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  request text not null, repeat integer not null, run text not null, name text not null,
  model text not null, base_url text not null, messages {json} not null, parameters {json} not null,
  outcome text not null, text text not null, finish_reason text not null,
  served_model text not null, fingerprint text not null, response_id text not null,
  input_tokens integer not null, output_tokens integer not null, tokens_estimated boolean not null,
  cost double precision, seconds double precision, attempts integer not null, route text not null,
  unique (request, repeat));

create table completion_attempt (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  request text not null, repeat integer not null, run text not null, name text not null,
  attempt integer not null, status integer, error_class text not null, detail text not null,
  seconds double precision not null, retry_after double precision);

create table remote_batch (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  run text not null, name text not null, base_url text not null, digest text not null,
  batch text not null, state text not null, body {json} not null)
