-- The number that stands for each person in files without names, drawn when the first such file is
-- written: a rater's id tells who they are to anybody who knows their handle. The id, drawn too,
-- stands for the rater's. "person" is a rater's id, or the e-mail address of somebody whom only the
-- audit log knows.
create table person_number (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  person text not null, number integer not null, unique (person), unique (number))
