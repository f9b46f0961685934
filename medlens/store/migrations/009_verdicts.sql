create table verdict (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, subject text not null, judge text not null,
  prompt text not null, attempt integer not null, outcome text not null, usable boolean not null,
  reason text not null, body {json} not null, model text not null, run text not null,
  origin text not null, unique (task, dataset, subject, judge, prompt, attempt))
