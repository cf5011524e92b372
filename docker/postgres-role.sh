#!/bin/sh
# Run once by PostgreSQL's container, while its volume is empty: makes the service's role beside the owner's.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE cupsup LOGIN PASSWORD :'password';
SQL
