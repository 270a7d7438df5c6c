#!/bin/sh
# What the entry point of the postgres image does, as far as docker-compose.yml uses it.
set -eu

as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

mkdir -p "$PGDATA"
chmod 700 "$PGDATA"
chown -R postgres:postgres "$PGDATA"
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  install -o postgres -m 400 "$POSTGRES_PASSWORD_FILE" /tmp/password
  # POSTGRES_INITDB_ARGS is several arguments.
  # shellcheck disable=SC2086
  as_postgres initdb --pgdata="$PGDATA" --username=postgres --pwfile=/tmp/password --auth-local=trust \
    $POSTGRES_INITDB_ARGS
  printf 'host all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@" -c listen_addresses='*'
