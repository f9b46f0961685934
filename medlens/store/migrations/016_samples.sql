-- Items that a lead drew to be checked, unequally: the strata, what each held, and what was drawn.
create table sample (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, revision integer not null, body {json} not null,
  made_by text not null, unique (task, dataset, revision))
