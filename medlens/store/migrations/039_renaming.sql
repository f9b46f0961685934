-- What a lead calls a dataset (which for a study of one's own is the study), a round or a run; the last
-- one stands. All other tables keep the name that it had first, from which its ids were made; every name
-- that it was ever given leads to it. "name" is as in archiving. "called" is the new name, "folded" the
-- same without capitals, and "given" counts how often it was given to anything, so that of two who give
-- it at the same moment one is refused.
create table renaming (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  kind text not null, study text not null, dataset text not null, name text not null,
  revision integer not null, called text not null, folded text not null, given integer not null,
  made_by text not null,
  unique (kind, study, dataset, name, revision), unique (kind, folded, given))
