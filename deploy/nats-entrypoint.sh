#!/bin/sh
# Gives nats-server the passwords that nats.conf names as variables, from the secrets' files.
set -eu

for name in ONBOARDING PAYMENTS REFUNDS WEBHOOKS ONRAMP GATEWAY; do
  file=${SECRETS_FOLDER:-/run/secrets}/$(echo "$name" | tr '[:upper:]' '[:lower:]')_nats_password
  export "NATS_${name}_PASSWORD=$(cat "$file")"
done
exec nats-server --config "${NATS_CONFIG:-/etc/nats/causeway.conf}" "$@"
