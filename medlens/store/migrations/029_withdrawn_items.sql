-- What leads take back of items. A withdrawal or a return of an item; the last one stands. Beside the
-- item's id what it is known by: questions that no questionnaire asks are in no row of "item".
create table item_withdrawal (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, study text not null, dataset text not null, name text not null,
  revision integer not null, withdrawn boolean not null, reason text not null, made_by text not null,
  unique (item, revision));

-- A corrected item, from version 2 on; the row of "item" is version 1. "counts": whether judgments
-- of earlier versions still do.
create table item_version (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  item text not null, version integer not null, body {json} not null, digest text not null,
  counts boolean not null, reason text not null, made_by text not null, unique (item, version));

-- Which version of its item a judgment or draft was made on; null: the first.
alter table judgment add column version integer;
alter table draft add column version integer
