-- What was measured in texts before an item's texts were erased: a study's own numbers, by what they
-- belong to, so that no figure changes.
create table text_measure (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, body {json} not null)
