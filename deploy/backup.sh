#!/bin/sh
# Backs up an installation of Compose (docker-compose.backup.yml) periodically: "backup.sh databases|streams [--once]".
# Keeps the newest BACKUPS_KEPT in /backup, and the part of PostgreSQL's log that the oldest of them needs. A backup is named
# after the time at which it was complete; until then its name ends in ".part".
set -eu

kind=${1:-}
folder=${BACKUP_FOLDER:-/backup}
secret() { cat "${SECRETS_FOLDER:-/run/secrets}/$1"; }

# Role "backup" may only copy the server and record when it did.
back_up_databases() {
  PGPASSWORD=$(secret backup_database_password)
  export PGPASSWORD
  pg_basebackup --username backup --pgdata "$1" --checkpoint fast --wal-method none --no-password
  pg_verifybackup --no-parse-wal --quiet "$1"
}
note_databases() {
  psql --no-psqlrc --quiet --username backup --dbname postgres --no-password \
    --command "ALTER ROLE backup SET causeway.base_backup_at = '$(date -u +%Y-%m-%dT%H:%M:%SZ)'"
}
clean_databases() {
  first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$1/backup_label")
  pg_archivecleanup "$folder/wal" "$first"
}

back_up_streams() {
  NATS_URL=nats://backup:$(secret backup_nats_password)@${NATS_SERVERS:-nats:4222} \
    node packages/chassis/src/stream-backup/command.ts backup "$1"
}
note_streams() { :; }
clean_streams() { :; }

case "$kind" in
  databases) every=${BACKUP_EVERY_HOURS:-24} place=$folder/base kept=${BACKUPS_KEPT:-7} ;;
  streams) every=${BACKUP_EVERY_HOURS:-1} place=$folder/streams kept=${BACKUPS_KEPT:-48} ;;
  *) echo 'Usage: backup.sh databases|streams [--once]' >&2; exit 1 ;;
esac
# Names of the complete backups, the newest first.
backups() { find "$place" -mindepth 1 -maxdepth 1 -name '2*Z' | sort -r; }
take() {
  rm -rf "$place"/*.part
  part=$place/$(date -u +%Y-%m-%dT%H%M%SZ).part
  "back_up_$kind" "$part"
  made=$place/$(date -u +%Y-%m-%dT%H%M%SZ)
  mv "$part" "$made"
  "note_$kind"
  backups | tail -n "+$((kept + 1))" | while read -r old; do rm -rf "$old"; done
  "clean_$kind" "$(backups | tail -n 1)"
  echo "Backed up the $kind: $made"
}

if [ "${2:-}" = --once ]; then
  take
  exit
fi
trap 'exit 0' TERM INT
while :; do
  newest=$(find "$place" -mindepth 1 -maxdepth 1 -name '2*Z' -mmin "-$((every * 60))" | sort | tail -n 1)
  # A restore begins a new timeline: base backups of the former timeline may not lead into it.
  if [ "$kind" = databases ] && [ -n "$newest" ] &&
    [ -n "$(find "$folder/wal" -name '*.history' -newer "$newest")" ]; then newest=; fi
  # A separate shell: inside a condition, `set -e` would not stop at the first failure.
  if [ -n "$newest" ] || sh "$0" "$kind" --once; then pause=60; else pause=300; fi
  sleep "$pause" &
  wait $!
done
