create table sc_site (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  dataset text not null, site text not null, revision integer not null, country text not null,
  answered text not null, run text not null, origin text not null,
  unique (dataset, site, revision))
