#!/bin/sh
# The roles of the database, made once, when PostgreSQL starts for the first time:
#   medlens         the app: owns its database, and nothing else
#   medlens_reader  people and dashboards that read the six public views (docs/sql.md), no table
set -eu
psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres \
    -v medlens="$(cat "${MEDLENS_PASSWORD_FILE:-/run/secrets/medlens_password}")" \
    -v reader="$(cat "${READER_PASSWORD_FILE:-/run/secrets/reader_password}")" <<'SQL'
create role medlens login password :'medlens';
create role medlens_reader login password :'reader';
create database medlens owner medlens encoding 'UTF8' template template0;
revoke all on database medlens from public;
grant connect on database medlens to medlens_reader;
\connect medlens
alter schema public owner to medlens;
revoke all on schema public from public;
grant usage on schema public to medlens_reader;
SQL
