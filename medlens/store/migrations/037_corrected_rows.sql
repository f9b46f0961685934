-- A corrected row of a study's own tables (a question, an answer, a statement), from version 2 on:
-- those of its columns that were corrected so far. Which items show it, and whether their judgments
-- still count, is said with these (item_version).
create table corrected_row (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  study text not null, dataset text not null, subject text not null, version integer not null,
  body {json} not null, reason text not null, made_by text not null, unique (subject, version))
