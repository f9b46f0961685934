-- Which version of its item a decision or a code was made on; null: the first.
alter table adjudication add column version integer;
alter table open_code add column version integer
