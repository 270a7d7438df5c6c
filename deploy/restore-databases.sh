#!/bin/sh
# Restores the databases of an installation of Compose into a new data folder, next to the one in use
# (docker-compose.backup.yml; deploy/restore.sh runs it): the newest base backup from before MOMENT, and the archived log
# until MOMENT, or until its end. Its arguments are the command of the server. CHOOSE=yes only prints what would be restored.
# Prints the base backup, and the beginning and the end of the restored timeline.
set -eu

folder=${BACKUP_FOLDER:-/backup}
restored=${RESTORED_FOLDER:-/var/lib/postgresql/restored}
work=$(mktemp -d)
moment=${MOMENT:-}
done=
fail() { echo "$*" >&2; exit 1; }
finish() {
  if [ -z "$done" ]; then
    if [ -e "$restored/postmaster.pid" ]; then pg_ctl --pgdata "$restored" --mode immediate --silent stop || :; fi
    wait
    rm -rf "$restored"
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# Each restore or promotion begins a new timeline; its history file in the archive has the time of that. The timeline to
# follow is the newest that had begun at MOMENT: a moment before an earlier restore is in the former timeline.
time=${moment#*T}
if [ -n "$moment" ]; then TZ=UTC touch -d "${moment%T*} ${time%Z}" "$work/moment"; fi
history=$(find "$folder/wal" -name '*.history' ${moment:+! -newer "$work/moment"} | sort | tail -n 1)
timeline=latest since=
if [ -n "$history" ]; then since=$(date -u -r "$history" +%Y-%m-%dT%H:%M:%SZ); fi
if [ -n "$moment" ]; then
  timeline=current
  if [ -n "$history" ]; then timeline=0x$(basename "$history" .history); fi
fi

# A backup is named after the time at which it was complete.
backup=$(find "$folder/base" -mindepth 1 -maxdepth 1 -name '2*Z' | sed 's|.*/||' | sort |
  awk -v before="$(echo "${moment:-none}" | tr -d :)" '$0 < before' | tail -n 1)
[ -n "$backup" ] || fail "No base backup${moment:+ from before $moment} in the folder base of the backups"
echo "base $backup"
echo "since $since"
if [ -n "${CHOOSE:-}" ]; then
  done=yes
  exit
fi

rm -rf "$restored"
cp -a "$folder/base/$backup" "$restored"
: > "$restored/recovery.signal"
# Settings of the recovery are arguments, so that no later base backup contains them. The log is archived meanwhile: the new
# timeline must be in the archive before the first write. Nobody can connect before the recovery has ended.
(
  "$@" -D "$restored" -c listen_addresses= -c unix_socket_directories="$work" -c hot_standby=off \
    -c restore_command="cp $folder/wal/%f %p" -c recovery_target_timeline="$timeline" \
    -c recovery_target_time="${moment:+${moment%T*} ${time%Z}+00}" -c recovery_target_action=promote > "$work/log" 2>&1 || :
  : > "$work/ended"
) &
sql() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --host "$work" --username postgres \
    --dbname postgres "$@"
}
until sql --command 'SELECT 1' > "$work/answer" 2>&1; do
  if [ -e "$work/ended" ]; then
    tail -n 20 "$work/log" >&2
    if grep -q 'recovery ended before configured recovery target' "$work/log"; then
      fail "The archived log does not reach $moment: leave the moment out to restore as late as possible"
    fi
    fail "PostgreSQL could not restore $backup"
  fi
  sleep 1
done
last=$(sql --command "SELECT to_char(pg_last_xact_replay_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
# The passwords may have been replaced since; those of the services are set when the platform starts.
sql --set password="$(cat "${SECRETS_FOLDER:-/run/secrets}/postgres_password")" << 'SQL'
ALTER ROLE postgres PASSWORD :'password';
SQL
pg_ctl --pgdata "$restored" --mode fast --wait --timeout 3600 --silent stop
wait
done=yes
: "${last:=$(echo "$backup" | sed 's/\(..\)\(..\)Z$/:\1:\2Z/')}"
echo "until ${moment:-$last}"
