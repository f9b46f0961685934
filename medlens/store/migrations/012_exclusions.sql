-- A rater's work left out of everything, or returned: with an empty task and dataset all of it.
create table exclusion (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  rater text not null, task text not null, dataset text not null, revision integer not null,
  excluded boolean not null, reason text not null, made_by text not null,
  unique (rater, task, dataset, revision))
