#!/bin/sh
# Pulls the images that .env (or the given file) names, and adds their digests to it, so that every machine runs the
# same bytes. "--check" pulls nothing: it names the images without a digest and ends with 1 if there is one.
set -eu

check=
[ "${1:-}" = --check ] && check=yes && shift
file=${1:-$(dirname "$0")/../.env}
status=0

value() { sed -n "s/^$1=//p" "$file" | tail -n 1; }

pin() {
  image=$(value "$1")
  image=${image:-$2}
  case $image in *@sha256:*) return ;; esac
  if [ "$check" ]; then
    echo "$1 has no digest: $image"
    status=1
    return
  fi
  docker pull --quiet "$image" > /dev/null
  digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "$image")
  { grep -v "^$1=" "$file" || true; echo "$1=$image@${digest#*@}"; } > "$file.new"
  mv -f "$file.new" "$file"
}

pin NODE_IMAGE node:24-bookworm-slim
pin CADDY_IMAGE caddy:2-alpine
pin NATS_IMAGE nats:2.14-alpine
pin POSTGRES_IMAGE postgres:18-alpine
exit "$status"
