create table visit_event (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  run text not null, n integer not null, kind text not null, body {json} not null,
  unique (run, n))
