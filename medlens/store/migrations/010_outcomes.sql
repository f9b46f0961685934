create table sc_outcome (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  source text not null, revision integer not null, was text not null, outcome text not null,
  reason text not null, made_by text not null, unique (source, revision))
