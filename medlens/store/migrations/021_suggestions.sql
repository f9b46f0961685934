-- That a rater sees a model's judgment of an item before they give theirs (shown), or by the same
-- draw does not: the two arms that are compared.
create table suggestion (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, item text not null, rater text not null, judgment text not null,
  shown boolean not null, share double precision not null, seed integer not null,
  unique (task, item, rater))
