#!/bin/sh
# Brings an installation of Compose to the release that is checked out: "git pull && sh deploy/upgrade.sh". Makes the
# secrets that are missing, gives NATS this release's permissions, creates what is missing in PostgreSQL, and replaces the
# processes. May be run again. "--dry-run" only says what is wrong with .env, and which secrets and containers are concerned.
set -eu

cd "$(dirname "$0")/.."
dry=
[ "${1:-}" = --dry-run ] && dry=yes

# A name that no file reads is a setting of another release, or misspelt.
unknown=$(sed -n 's/^\([A-Za-z0-9_]*\)=.*/\1/p' .env | grep -v '^COMPOSE_' | while read -r name; do
  grep -q "^#\{0,1\}$name=" .env.example || echo "$name"
done)
if [ -n "$unknown" ]; then
  echo "Not settings of this release, in .env: $(echo "$unknown" | tr '\n' ' '). See .env.example and CHANGELOG.md." >&2
  exit 1
fi

missing=$(sed -n 's|.*{ file: \./deploy/secrets/\(.*\) }.*|\1|p' docker-compose.yml | while read -r name; do
  [ -e "deploy/secrets/$name" ] || echo "$name"
done)
permissions=same
docker compose exec -T nats cat /etc/nats/causeway.conf 2> /dev/null | cmp -s - deploy/nats.conf || permissions=changed

if [ "$dry" ]; then
  echo "Secrets to make: ${missing:-none}"
  echo "Permissions of NATS: $permissions"
  exit 0
fi
sh deploy/make-secrets.sh
# An image that is named by its digest was published with the release: there is nothing to build.
case $(sed -n 's/^CAUSEWAY_IMAGE=//p' .env) in
  *@sha256:*) docker compose pull --quiet gateway ;;
  *) docker compose build ;;
esac
# The file is mounted by its inode, which git has replaced. The processes connect again within a second.
[ "$permissions" = same ] || docker compose up --detach --no-deps --force-recreate nats
docker compose up --detach
