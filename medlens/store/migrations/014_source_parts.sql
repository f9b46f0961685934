-- Long pages in pieces: DuckDB has 2,048 values of a column in memory when it writes one of them.
create table sc_source_part (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  source text not null, n integer not null, text text{plain} not null)
