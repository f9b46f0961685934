-- The link that an invitation is part of: several, to a task each, may share one. Null: it was made before
-- that was noted.
alter table invitation add column link text
