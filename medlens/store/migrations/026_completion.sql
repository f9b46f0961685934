-- How somebody who finished a round stands with its completion code: told that somebody will look
-- ("asked"), shown it by the round's rule ("shown"), or, by a lead, "given" it or "refused" it.
create table completion_event (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, rater text not null, revision integer not null,
  kind text not null, reason text not null, made_by text not null,
  unique (task, dataset, rater, revision))
