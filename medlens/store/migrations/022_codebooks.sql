-- What a coder did to the free labels with which they mark the texts of a dataset: one is made,
-- renamed, described, merged, split or removed; and that the coder chose to compare.
create table codebook_change (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  study text not null, dataset text not null, rater text not null, revision integer not null,
  kind text not null, body {json} not null, unique (study, dataset, rater, revision))
