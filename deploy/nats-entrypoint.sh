#!/bin/sh
# Starts nats-server with the passwords that nats.conf names as variables, from the secrets' files. With "reload" the
# running server reads both again; connections whose password is still valid stay open.
set -eu

running=${NATS_RUNNING_CONFIG:-/tmp/nats.conf}
password() { printf '%s: "%s"\n' "$1" "$(cat "${SECRETS_FOLDER:-/run/secrets}/$2")"; }
(
  umask 077
  for name in access onboarding payments refunds webhooks onramp ledger signer gateway; do
    variable=NATS_$(echo "$name" | tr '[:lower:]' '[:upper:]')_PASSWORD
    password "$variable" "${name}_nats_password"
    password "${variable}_B" "${name}_nats_password_b"
  done
  password NATS_BACKUP_PASSWORD backup_nats_password
  cat "${NATS_CONFIG:-/etc/nats/causeway.conf}"
) > "$running.new"
mv "$running.new" "$running"

if [ "${1:-}" = reload ]; then
  kill -HUP "${NATS_PID:-1}"
  exit
fi

# Moves streams from before the accounts to their account, so that an update loses no document.
store=${NATS_STORE:-/data}/jetstream
for held in events/EVENTS documents/OBJ_documents; do
  from="$store/\$G/streams/${held#*/}" to="$store/${held%/*}/streams"
  if [ -d "$from" ] && [ ! -d "$to/${held#*/}" ]; then
    mkdir -p "$to"
    mv "$from" "$to/"
  fi
done
exec nats-server --config "$running" "$@"
