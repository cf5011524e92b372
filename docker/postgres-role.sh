#!/bin/sh
# Run once by PostgreSQL's container, while its volume is empty: creates the service's role next to the owner's.
set -eu
password=${SERVICE_PASSWORD:-}
[ -z "${SERVICE_PASSWORD_FILE:-}" ] || password=$(cat "$SERVICE_PASSWORD_FILE")
: "${password:?set POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE in docker/.env}"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
CREATE ROLE cupsup LOGIN PASSWORD :'password';
SQL
