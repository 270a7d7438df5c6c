#!/bin/sh
# Makes the secrets of a deployment, one file each, in the folder given or in deploy/secrets. For servers of your own:
# DATABASE_SERVERS=a:5432,b:5432 NATS_SERVERS=a:4222,b:4222,c:4222 NATS_SCHEME=tls.
# Keeps files that exist. Everyone can read the files, because the users of the containers differ from the host's;
# the folder is closed instead.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# A letter in front: NATS would read a password of digits as a number.
password() { printf 'p%s' "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"; }
keep() { [ -e "$1" ] || { cat > "$1.new" && chmod 444 "$1.new" && mv "$1.new" "$1"; }; }

password | keep postgres_password
password | keep backup_nats_password
password | keep backup_database_password
printf 'op_%s' "$(password)" | keep operator_api_key

# The key with which access signs which refunds staff approve (Ed25519), and its public half, which the signer has.
if [ ! -e gateway_approval_signing_key ]; then
  openssl genpkey -algorithm ed25519 -outform DER > approval_key.new
  openssl pkey -inform DER -in approval_key.new -pubout -outform DER | tail -c 32 | base64 | keep signer_approval_verifying_keys
  tail -c 32 approval_key.new | base64 | keep gateway_approval_signing_key
  rm approval_key.new
fi

# Keys of requests on the bus, one for each pair of a sender and a receiver, in the files of both.
for pair in 'gateway>access' 'access>onboarding' 'access>payments' 'access>refunds' 'access>webhooks' 'access>ledger' \
  'access>signer' 'gateway>onboarding' 'gateway>payments' 'gateway>refunds' 'gateway>webhooks' 'gateway>onramp' \
  'gateway>ledger' 'gateway>signer' 'ledger>onboarding' 'ledger>payments' 'ledger>signer' 'payments>onboarding' 'payments>webhooks' 'payments>signer' 'signer>payments' 'refunds>payments' 'webhooks>payments' 'onramp>payments'; do
  sender=${pair%>*} receiver=${pair#*>}
  known=$(cat "${sender}_bus_keys" "${receiver}_bus_keys" 2>/dev/null | grep -m 1 "^$pair=" || true)
  line=${known:-$pair=$(head -c 32 /dev/urandom | base64)}
  for name in "$sender" "$receiver"; do
    file="${name}_bus_keys"
    grep -qs "^$pair=" "$file" && continue
    { cat "$file" 2>/dev/null || true; echo "$line"; } > "$file.new"
    chmod 444 "$file.new" && mv -f "$file.new" "$file"
  done
done

# The database of access is named gateway (ADR 0081).
for name in onboarding payments refunds webhooks onramp ledger signer gateway; do
  password | keep "${name}_database_password"
  printf 'postgres://%s:%s@%s/%s' "$name" "$(cat "${name}_database_password")" \
    "${DATABASE_SERVERS:-postgres:5432}" "$name" | keep "${name}_database_url"
done
for name in access onboarding payments refunds webhooks onramp ledger signer gateway; do
  password | keep "${name}_nats_password"
  password | keep "${name}_nats_password_b"
  printf '%s://%s:%s@%s' "${NATS_SCHEME:-nats}" "$name" "$(cat "${name}_nats_password")" \
    "${NATS_SERVERS:-nats:4222}" | keep "${name}_nats_url"
done

# Each service that seals has its own key, and a second file for the former key during a replacement. An older
# deployment had one key for all: each service finds it there, rewraps its data keys and then no longer needs it.
for name in onboarding payments refunds webhooks ledger gateway; do
  if [ ! -e "${name}_encryption_key" ] && [ -e encryption_key ]; then
    keep "${name}_previous_encryption_key" < encryption_key
  fi
  head -c 32 /dev/urandom | base64 | keep "${name}_encryption_key"
  : | keep "${name}_previous_encryption_key"
  : | keep "${name}_vault_token"
done

# Secrets from third parties. An empty file means that the setting is not set: write the secret into it before the first start.
for name in stripe_secret_key stripe_webhook_secret banxa_api_key banxa_webhook_secret blob_s3_secret_access_key \
  eth_rpc_urls btc_node_urls btc_esplora_urls ltc_node_urls ltc_esplora_urls sol_rpc_urls xrp_rpc_urls signer_seed \
  console_oidc_client_secret mail_url; do
  : | keep "$name"
done

# The signer refuses words that others can read. The container's user is 1000: as another user, change the file's owner.
chmod 600 signer_seed
[ "$(id -u)" != 0 ] || chown 1000 signer_seed

# Only docker-compose.sandbox.yml uses it.
for name in sandbox_card_secret sandbox_onramp_secret; do password | keep "$name"; done
