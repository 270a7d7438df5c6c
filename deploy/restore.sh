#!/bin/sh
# Restores an installation of Compose from the backups of docker-compose.backup.yml: "sh deploy/restore.sh [MOMENT]
# [--dry-run]". MOMENT is a time such as 2026-01-31T12:00:00Z; without it, it restores as much as possible. Stops the platform,
# restores the databases and the event stream, and starts the platform. The replaced data stay in their volumes: it prints
# where. "--dry-run" only prints what would be restored.
set -eu

cd "$(dirname "$0")/.."
fail() { echo "$*" >&2; exit 1; }
moment= dry=
for argument in "$@"; do
  if [ "$argument" = --dry-run ]; then
    dry=yes
  elif [ -n "$moment" ] ||
    ! echo "$argument" | grep -Eqx '20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z'; then
    fail "Not a moment: \"$argument\". Usage: sh deploy/restore.sh [MOMENT] [--dry-run], with a MOMENT in UTC such as 2026-01-31T12:00:00Z"
  else
    moment=$argument
  fi
done
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
if [ -n "$moment" ] && [ "$(printf '%s\n' "$now" "$moment" | sort | tail -n 1)" = "$moment" ]; then
  fail "$moment is in the future. Leave the moment out to restore as late as possible"
fi

docker compose config --services | grep -qx backup-databases ||
  fail 'This installation has no backups: COMPOSE_FILE in .env does not name docker-compose.backup.yml'
backups=$(sed -n 's/^BACKUP_FOLDER=//p' .env)
for kind in base wal streams; do
  [ -d "${backups:=./backup}/$kind" ] ||
    fail "$backups has no folder $kind: mount the backups there, or set BACKUP_FOLDER in .env"
done

PROCESSES='gateway access onboarding payments refunds webhooks onramp ledger signer'
EVENTS=/data/jetstream/events/streams/EVENTS
kept=before-restore-$(date -u +%Y-%m-%dT%H%M%SZ)
run() { docker compose run --rm --no-deps -T "$@"; }
# Prints what was chosen or restored, one value per line: base, since, until.
restore_databases() { run -e MOMENT="$moment" "$@" restore-databases; }
value() { echo "$2" | sed -n "s/^$1 //p"; }
# The newest snapshot between $1 and $2. An older one is of a timeline that the databases have left. A newer one has events
# that the databases do not have: consumers would skip events that they have not handled.
snapshot() {
  snapshots=$(run --entrypoint ls backup-streams /backup/streams)
  echo "$snapshots" | grep -x '2.*Z' | sort |
    awk -v since="$(echo "$1" | tr -d :)" -v before="$(echo "$2" | tr -d :)" 'since < $0 && $0 < before' | tail -n 1
}

plan=$(restore_databases -e CHOOSE=yes)
echo "Base backup: $(value base "$plan"), and the log until ${moment:-its end}"
if [ -n "$dry" ]; then
  chosen=$(snapshot "$(value since "$plan")" "${moment:-$now}")
  echo "Snapshot of the events: ${chosen:-none; the outboxes publish the last seven days again}"
  echo 'Dry run: nothing was changed'
  exit
fi

hint='Nothing was replaced: "docker compose up --detach" starts the platform with the data that it had'
trap '[ $? = 0 ] || echo "$hint" >&2' EXIT
trap 'exit 1' INT TERM
signer=$(docker compose --profile signer ps --services --filter status=running | grep -x signer || :)
echo 'Stopping the platform'
# shellcheck disable=SC2086
docker compose --profile signer stop --timeout 60 $PROCESSES backup-databases backup-streams
# A clean stop archives the rest of the log.
docker compose stop --timeout 300 nats postgres

echo 'Restoring the databases'
restored=$(restore_databases)
until=$(value until "$restored")
# shellcheck disable=SC2016
run --entrypoint sh postgres -c '
  set -eu
  mkdir -p "$(dirname "$PGDATA")"
  if [ -e "$PGDATA" ]; then mv "$PGDATA" "/var/lib/postgresql/$0"; fi
  mv /var/lib/postgresql/restored "$PGDATA" || { mv "/var/lib/postgresql/$0" "$PGDATA"; exit 1; }' "$kept"
hint='The databases were restored, the stream of events was not. Run this again; or "docker compose up --detach" starts the platform, and the outboxes publish the last seven days again'

# Keeps documents, and the marks of order numbers, which must never go back.
# shellcheck disable=SC2016
run --entrypoint sh nats -c 'if [ -e "$1" ]; then mkdir -p "/data/$0" && mv "$1" "/data/$0/"; fi' "$kept" "$EVENTS"
docker compose up --detach --no-deps nats
tries=0
until docker compose exec -T nats wget -q -O /dev/null http://127.0.0.1:8222/healthz 2> /dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || fail 'NATS does not start: docker compose logs nats'
  sleep 1
done
# shellcheck disable=SC2016
restore_streams() {
  run --entrypoint sh backup-streams -c '
    NATS_URL=nats://backup:$(cat /run/secrets/backup_nats_password)@${NATS_SERVERS:-nats:4222} \
      exec node packages/chassis/src/stream-backup/command.ts restore "/backup/streams/$0" "$@"' "$@"
}
newest=$(snapshot '' none)
if [ -n "$newest" ]; then restore_streams "$newest" --documents; fi
chosen=$(snapshot "$(value since "$restored")" "$until")
if [ -n "$chosen" ]; then
  echo "Restoring the events of $chosen"
  restore_streams "$chosen" --until "$until"
else
  echo 'No snapshot of the events fits: the outboxes publish the last seven days again'
fi

hint='Everything was restored, and the platform does not start: docker compose ps, docker compose logs'
# shellcheck disable=SC2086
docker compose ${signer:+--profile signer} up --detach
echo "Restored until $until. The former data are kept; when you need them no longer:"
echo "  docker compose exec postgres rm -rf /var/lib/postgresql/$kept"
echo "  docker compose exec nats rm -rf /data/$kept"
