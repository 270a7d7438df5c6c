#!/bin/sh
# Gives nats-server the passwords that nats.conf names as variables, from the secrets' files.
set -eu

for name in ONBOARDING PAYMENTS REFUNDS WEBHOOKS ONRAMP SIGNER GATEWAY BACKUP; do
  file=${SECRETS_FOLDER:-/run/secrets}/$(echo "$name" | tr '[:upper:]' '[:lower:]')_nats_password
  export "NATS_${name}_PASSWORD=$(cat "$file")"
done

# Streams of before the accounts: moved to the account that holds each, so that an update loses no document.
store=${NATS_STORE:-/data}/jetstream
for held in events/EVENTS documents/OBJ_documents; do
  from="$store/\$G/streams/${held#*/}" to="$store/${held%/*}/streams"
  if [ -d "$from" ] && [ ! -d "$to/${held#*/}" ]; then
    mkdir -p "$to"
    mv "$from" "$to/"
  fi
done
exec nats-server --config "${NATS_CONFIG:-/etc/nats/causeway.conf}" "$@"
