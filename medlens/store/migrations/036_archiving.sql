-- That a lead puts a dataset (which for a study of one's own is the study), a round or a run away, or
-- brings it back; the last one stands. "name" is the task of a round or the id of a run.
create table archiving (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  kind text not null, study text not null, dataset text not null, name text not null,
  revision integer not null, archived boolean not null, reason text not null, made_by text not null,
  unique (kind, study, dataset, name, revision))
