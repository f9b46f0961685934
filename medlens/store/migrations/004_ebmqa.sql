create table ebmqa_question (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, name text not null, digest text not null, kind text not null,
  qa_type text not null, question text not null, options {json} not null,
  n_options integer not null, correct integer not null, n_correct integer not null,
  source text, target text, background text, source_type text, target_type text,
  background_type text, subject_type text, disciplines text, discipline text, prevalence text,
  length text, answer text, words integer, value double precision, stratum text,
  illustrative boolean not null);

create table ebmqa_answer_block (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  number bigint not null unique, dataset text not null, rater text not null, prompt text not null,
  repeat integer not null, part integer not null, run text not null, origin text not null,
  n integer not null, unique (dataset, rater, prompt, repeat, part));

create table ebmqa_answer (
  seq bigint not null default nextval('log_seq'), block bigint not null, question bigint not null,
  outcome integer not null, chosen integer not null, said integer not null);

create table ebmqa_said (
  seq bigint not null default nextval('log_seq'), block bigint not null, place integer not null,
  text text not null)
