-- What a model thought aloud before its answer, apart from the answer (null: made before this was
-- kept); and what an attempt without an answer cost.
alter table completion add column reasoning text;
alter table completion_attempt add column cost double precision
