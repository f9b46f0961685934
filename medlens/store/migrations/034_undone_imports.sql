-- The items that an import added (their ids), so that it can be undone.
create table import_items (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  import text not null unique, items {json} not null);

-- An import (a row of "import_log") that was undone: how many of its items were removed, as nobody
-- had worked on any, or else withdrawn.
create table import_undone (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  import text not null unique, removed integer not null, withdrawn integer not null,
  reason text not null, made_by text not null);

-- What an import corrected and withdrew of the items that were there; null: it could do neither.
alter table import_log add column changed integer;
alter table import_log add column withdrawn integer;

-- Whether a withdrawal undoes the import of its item: it is as if it had never been imported, until
-- it is imported again.
alter table item_withdrawal add column undone boolean
