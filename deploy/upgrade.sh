#!/bin/sh
# Upgrades an installation of Compose to the release that is checked out: "git pull && sh deploy/upgrade.sh". Creates
# missing secrets, gives NATS this release's permissions, creates missing databases and roles, and replaces the processes.
# May be run again. "--dry-run" only prints unknown settings in .env, the missing secrets and the containers concerned.
set -eu

cd "$(dirname "$0")/.."
dry=
[ "${1:-}" = --dry-run ] && dry=yes

# A name that .env.example does not have is a setting of another release, or misspelt.
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
# An image with a digest was published with the release: there is nothing to build.
case $(sed -n 's/^CAUSEWAY_IMAGE=//p' .env) in
  *@sha256:*) docker compose pull --quiet gateway ;;
  *) docker compose build ;;
esac
# The mounted file has an inode that git has replaced. The processes reconnect within a second.
[ "$permissions" = same ] || docker compose up --detach --no-deps --force-recreate nats
docker compose up --detach
