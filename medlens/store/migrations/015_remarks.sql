-- What a rater and the leads say to each other of the rater's work on an item: that the guideline is
-- unclear, an answer, the item returned (whose judgments until then count, or not), and that an
-- answer was read.
create table remark (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, kind text not null,
  body text not null, counts boolean not null, made_by text not null)
