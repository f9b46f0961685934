-- Consensus and figures as they were last computed, for whoever reads the store with SQL: a row per
-- item of a task (kind 'consensus') or figure (kind 'figures') whose rows, an array of objects in
-- ``body``, changed; and one of kind 'done' for each time that a dataset was computed.
create table computation (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  kind text not null, study text not null, dataset text not null, task text not null,
  subject text not null, body {json} not null);

-- On PostgreSQL it says which public views are there, as it does on DuckDB.
alter table migration add column if not exists views text
