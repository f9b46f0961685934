-- The id that decisions made in one press share, each on an item of its own; null: made by itself.
alter table adjudication add column together text
