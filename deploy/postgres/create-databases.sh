#!/bin/sh
# Creates a database and a role for each service, with the passwords of the secrets; a role cannot connect to any other
# database. Creates only what is missing: compose runs it before the processes at each "up", so that an existing server
# gets what a new release needs. The audit log is in the database gateway, which access uses, and does not belong to
# access; the signer's record does not belong to the signer, nor the books to the ledger.
set -eu

: "${POSTGRES_USER:=postgres}"
if [ -n "${POSTGRES_PASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  export PGPASSWORD
fi
run() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" "$@" > /dev/null; }

run --dbname postgres <<SQL
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;
SQL

for name in onboarding payments refunds webhooks onramp ledger signer gateway; do
  run --dbname postgres --set name="$name" \
    --set password="$(cat "${SECRETS_FOLDER:-/run/secrets}/${name}_database_password")" <<'SQL'
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done

# Takes base backups and records when, for a gauge (deploy/backup.sh). It can only copy the whole server, from where
# pg_hba.conf allows it.
run --dbname postgres --set password="$(cat "${SECRETS_FOLDER:-/run/secrets}/backup_database_password")" <<'SQL'
SELECT 'CREATE ROLE backup' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'backup') \gexec
ALTER ROLE backup LOGIN REPLICATION PASSWORD :'password';
GRANT CONNECT ON DATABASE postgres TO backup;
GRANT SET ON PARAMETER causeway.base_backup_at TO backup;
SQL

# A database and a file to run in it, in the order of the lines.
root=$(dirname "$0")/../..
while read -r database file; do
  run --dbname "$database" --file "$root/$file"
done < "$root/deploy/postgres/protected-schemas.txt"
