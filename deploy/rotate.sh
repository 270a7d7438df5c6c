#!/bin/sh
# Replaces secrets while the platform serves, without a failed request:
# "sh deploy/rotate.sh databases|nats|bus-keys|keks|signing-keys [--dry-run]". After an interruption, run it
# again: it continues. Processes read the secrets' files again every few seconds. Where they do not (Kubernetes), set APPLY
# to a command that gives them the changed files and waits until they use them.
set -eu

subject=${1:-}
dry=
[ "${2:-}" = --dry-run ] && dry=yes
cd "$(dirname "$0")/.."
folder=$(cd "${SECRETS:-deploy/secrets}" && pwd)
: "${PSQL:=docker compose exec -T postgres psql --username postgres}"
: "${NATS_RELOAD:=docker compose exec -T nats sh /etc/nats/entrypoint.sh reload}"
: "${NATS_CONNECTIONS:=docker compose exec -T nats wget -q -O - http://127.0.0.1:8222/connz?auth=1&limit=10000}"
: "${ROTATE_SIGNING_KEYS:=docker compose run --rm --no-deps access command.js signing-keys:rotate}"
: "${WAIT:=30}" "${PATIENCE:=120}"
# The database of access is named gateway (ADR 0081).
DATABASES='onboarding payments refunds webhooks onramp ledger signer gateway'
USERS="access $DATABASES"
SEALING='onboarding payments refunds webhooks ledger gateway'
state=$folder/rotation-$subject

fail() { echo "$*" >&2; exit 1; }
new_password() { printf 'p%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"; }
new_key() { head -c 32 /dev/urandom | base64; }
sql() { $PSQL --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 "$@"; }
# Writes into the existing file: a container has it mounted, and would not see a new file in its place. The content comes
# only from the files in $state, so that a run that was killed here can write it again.
put() {
  cat > "$state/text"
  chmod u+w "$folder/$1"
  cat "$state/text" > "$folder/$1"
  chmod 444 "$folder/$1"
}
deliver() {
  if [ -n "${APPLY:-}" ]; then
    sh -c "$APPLY"
  else
    echo "Waiting $WAIT s for every process to read its files again"
    sleep "$WAIT"
  fi
}
# Waits until a command prints nothing: it prints what has not changed yet. Fails after PATIENCE.
await() {
  left=$PATIENCE
  while :; do
    rest=$("$@") || exit 1
    [ -n "$rest" ] || return 0
    left=$((left - 2))
    [ "$left" -gt 0 ] || fail "Still as before after $PATIENCE s:" $rest". Look at the logs of these processes (job.failed with job secrets or key-ring), then run this again"
    sleep 2
  done
}
stage() { cat "$state/stage"; }
reached() { echo "$1" > "$state/stage.new" && mv "$state/stage.new" "$state/stage"; }
# Creates the new secrets once: a run that continues uses the same ones.
begin() {
  if [ -d "$state" ]; then
    echo "Continuing the rotation in $state"
    [ -z "$dry" ] || exit 0
    return
  fi
  [ -z "$dry" ] || { echo "Dry run: nothing was changed"; exit 0; }
  rm -rf "$state.new"
  mkdir -m 700 "$state.new"
  echo 0 > "$state.new/stage"
  "$1" "$state.new"
  mv "$state.new" "$state"
}
finish() {
  rm -rf "$state"
  echo "Done: the former secrets are refused"
}

database_secrets() {
  for name in $DATABASES backup postgres; do new_password > "$1/$name"; done
  for name in $DATABASES; do
    cut -d ' ' -f 1 "$folder/${name}_database_url" > "$1/$name.former"
    sed "s#://$name:[^@]*@#://$name:$(cat "$1/$name")@#g" "$1/$name.former" > "$1/$name.url"
    ! cmp -s "$1/$name.former" "$1/$name.url" || fail "${name}_database_url names no password of $name"
  done
}
alter_password() { printf "ALTER ROLE \"%s\" PASSWORD '%s';\n" "$1" "$(cat "$state/$1")" | sql --dbname postgres; }
rotate_databases() {
  sql --dbname postgres --command 'SELECT 1' > /dev/null || fail 'PostgreSQL does not answer (PSQL)'
  echo "Passwords to replace in PostgreSQL: $DATABASES backup postgres"
  begin database_secrets
  if [ "$(stage)" = 0 ]; then
    for name in $DATABASES; do
      paste -d ' ' "$state/$name.former" "$state/$name.url" | put "${name}_database_url"
    done
    deliver
    reached 1
  fi
  if [ "$(stage)" = 1 ]; then
    for name in $DATABASES backup; do
      put "${name}_database_password" < "$state/$name"
      alter_password "$name"
      echo "Replaced the password of $name"
    done
    alter_password postgres
    put postgres_password < "$state/postgres"
    reached 2
  fi
  for name in $DATABASES; do put "${name}_database_url" < "$state/$name.url"; done
  deliver
  finish
}

# Of the two users of a process, the one in its URL is in use. It ends with a password that nobody knows.
nats_secrets() {
  for name in $USERS; do
    user=$(sed -n 's#^[a-z]*://\([^:]*\):.*#\1#p' "$folder/${name}_nats_url")
    case "$user" in
      "$name") idle=$name-b in_use=${name}_nats_password next=${name}_nats_password_b ;;
      "$name-b") idle=$name in_use=${name}_nats_password_b next=${name}_nats_password ;;
      *) fail "${name}_nats_url names the user $user, which is not one of $name" ;;
    esac
    password=$(new_password)
    echo "$user $idle $in_use $next $password $(new_password)" > "$1/$name"
    sed "s#\(://\|,\)$user:[^@]*@#\1$idle:$password@#g" "$folder/${name}_nats_url" > "$1/$name.url"
  done
  new_password > "$1/backup"
}
# Prints the users that are to end and are still connected, including those of the stream.
former_users() {
  connections=$($NATS_CONNECTIONS) || fail 'NATS does not answer (NATS_CONNECTIONS)'
  connected=$(echo "$connections" | sed -n 's/.*"authorized_user": *"\([^"]*\)".*/\1/p')
  for name in $USERS; do
    read -r user _ < "$state/$name"
    suffix=${user#"$name"}
    for each in "$user" "$name-stream$suffix"; do
      if echo "$connected" | grep -qx -- "$each"; then echo "$each"; fi
    done
  done
}
rotate_nats() {
  $NATS_CONNECTIONS > /dev/null || fail 'NATS does not answer (NATS_CONNECTIONS)'
  echo "Passwords to replace in NATS: $USERS backup"
  begin nats_secrets
  if [ "$(stage)" = 0 ]; then
    for name in $USERS; do
      read -r _ _ _ next password _ < "$state/$name"
      printf %s "$password" | put "$next"
    done
    $NATS_RELOAD
    for name in $USERS; do put "${name}_nats_url" < "$state/$name.url"; done
    deliver
    reached 1
  fi
  await former_users
  for name in $USERS; do
    read -r _ _ in_use _ _ ending < "$state/$name"
    printf %s "$ending" | put "$in_use"
  done
  put backup_nats_password < "$state/backup"
  $NATS_RELOAD
  finish
}

# Time for which events that a key has sealed may be read again (ADR 0044): the outbox keeps them for seven days.
EVENT_SECONDS=$((7 * 24 * 3600))
EVENT_PAIR='payments>webhooks'
bus_secrets() {
  for name in $USERS; do cat "$folder/${name}_bus_keys"; done | cut -d = -f 1 | sort -u > "$1/pairs"
  while read -r pair; do
    cat "$folder/${pair%>*}_bus_keys" | grep -m 1 "^$pair=" >> "$1/old"
    echo "$pair=$(new_key)" >> "$1/new"
  done < "$1/pairs"
}
# The first key of a pair seals; all are accepted. "retained": webhooks keeps the former key for events.
put_bus_keys() {
  for name in $USERS; do
    while read -r pair; do
      case "$pair" in "$name>"* | *">$name") ;; *) continue ;; esac
      for kind in "$@"; do
        case "$kind" in
          retained) if [ "$name>$pair" = "webhooks>$EVENT_PAIR" ]; then grep "^$pair=" "$state/old"; fi ;;
          *) grep "^$pair=" "$state/$kind" ;;
        esac
      done
    done < "$state/pairs" > "$state/keys"
    put "${name}_bus_keys" < "$state/keys"
  done
}
rotate_bus_keys() {
  echo 'Keys to replace: one of each pair in *_bus_keys'
  begin bus_secrets
  if [ "$(stage)" = 0 ]; then
    put_bus_keys old new
    deliver
    reached 1
  fi
  if [ "$(stage)" = 1 ]; then
    put_bus_keys new old
    deliver
    reached 2
  fi
  if [ "$(stage)" = 2 ]; then
    put_bus_keys new retained
    deliver
    echo $(($(date +%s) + EVENT_SECONDS)) > "$state/until"
    reached 3
    echo "Done: requests that the former keys seal are refused"
  fi
  if [ "$(date +%s)" -lt "$(cat "$state/until")" ]; then
    echo "webhooks keeps the former key of $EVENT_PAIR for events of the last seven days. Run this again after $(date -u -d "@$(cat "$state/until")" 2> /dev/null || date -u -r "$(cat "$state/until")") to remove it"
    exit 0
  fi
  put_bus_keys new
  deliver
  finish
}

kek_secrets() {
  for name in $SEALING; do
    [ ! -s "$folder/${name}_previous_encryption_key" ] || fail "${name}_previous_encryption_key is not empty: end that rotation first"
    cp "$folder/${name}_encryption_key" "$1/$name.old"
    new_key > "$1/$name"
  done
}
# Prints the services with a data key that is not wrapped by exactly this many key-encryption keys.
services_without_wraps() {
  for name in $SEALING; do
    wrong=$(sql --dbname "$name" --command \
      "SELECT count(*) FROM (SELECT key_id FROM wrapped_keys GROUP BY key_id HAVING count(*) <> $1) AS wrong") ||
      fail 'PostgreSQL does not answer (PSQL)'
    [ "$wrong" = 0 ] || echo "$name"
  done
}
rotate_keks() {
  echo "Key-encryption keys to replace: those of $SEALING"
  if [ ! -d "$state" ]; then
    rest=$(services_without_wraps 1) || exit 1
    [ -z "$rest" ] || fail "Another rotation is under way at" $rest
  fi
  begin kek_secrets
  if [ "$(stage)" = 0 ]; then
    for name in $SEALING; do
      put "${name}_previous_encryption_key" < "$state/$name.old"
      put "${name}_encryption_key" < "$state/$name"
    done
    deliver
    await services_without_wraps 2
    reached 1
  fi
  for name in $SEALING; do put "${name}_previous_encryption_key" < /dev/null; done
  deliver
  await services_without_wraps 1
  finish
}

rotate_signing_keys() {
  $ROTATE_SIGNING_KEYS ${dry:+--dry-run}
}

case "$subject" in
  databases) rotate_databases ;;
  nats) rotate_nats ;;
  bus-keys) rotate_bus_keys ;;
  keks) rotate_keks ;;
  signing-keys) rotate_signing_keys ;;
  *) fail "Usage: sh deploy/rotate.sh databases|nats|bus-keys|keks|signing-keys [--dry-run]" ;;
esac
