create table audit_event (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  kind text not null, who text not null, about text not null, body {json} not null)
