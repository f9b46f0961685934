-- Columns of a file of items that no study asks for, kept with the items as they came.
create table item_further (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, body {json} not null)
