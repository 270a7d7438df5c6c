#!/bin/sh
# Run once by the postgres image on an empty data folder: a database and a role for each service, and no right
# for a role to enter any database but its own. The audit log lies in the gateway's database, but is not the gateway's; nor is the
# signer's record the signer's.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<SQL
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;
SQL

for name in onboarding payments refunds webhooks onramp signer gateway; do
  psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="$name" --set password="$(cat "${SECRETS_FOLDER:-/run/secrets}/${name}_database_password")" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done

scripts="${AUDIT_SCRIPTS_FOLDER:-/etc/causeway}"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname gateway \
  --file "$scripts/audit-log.sql" --file "$scripts/protect-audit-log.sql"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname signer \
  --file "$scripts/signer-record.sql" --file "$scripts/protect-signer-record.sql"
