#!/bin/sh
# What the entry point of the postgres image does, as far as docker-compose.yml uses it.
set -eu

data=/var/lib/postgresql/18/docker
sockets=/var/run/postgresql
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

mkdir -p "$data" "$sockets"
chown -R postgres:postgres /var/lib/postgresql "$sockets"
if [ ! -e "$data/PG_VERSION" ]; then
  install -o postgres -m 400 "$POSTGRES_PASSWORD_FILE" /tmp/password
  # POSTGRES_INITDB_ARGS is several arguments.
  # shellcheck disable=SC2086
  as_postgres /usr/local/pgsql/bin/initdb --pgdata="$data" --username=postgres --pwfile=/tmp/password \
    --auth-local=trust $POSTGRES_INITDB_ARGS
  printf 'host all all all scram-sha-256\n' >> "$data/pg_hba.conf"
fi
shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups /usr/local/pgsql/bin/postgres -D "$data" \
  -c listen_addresses='*' -c unix_socket_directories="$sockets" "$@"
