#!/bin/sh
# Builds the image of a release from a base image that is named by its digest, as a tag can be moved to another one:
#   deploy/image/build-release.sh registry.example/tollfree:0.3.0
# The label org.opencontainers.image.base.digest of the image records the digest.
set -eu
tag=${1:?"The name of the image is missing: deploy/image/build-release.sh <name>:<version>"}
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^ARG NODE_VERSION=//p' "$root/Dockerfile")
base="node:$version-alpine"
digest=$(docker buildx imagetools inspect "$base" --format '{{.Manifest.Digest}}')
if ! printf '%s\n' "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}'; then
  echo "The registry named no digest of $base. A release is built from a digest only; try again when it answers." >&2
  exit 1
fi
commit=$(git -C "$root" rev-parse HEAD)
exec docker build --pull --build-arg "NODE_IMAGE=$base@$digest" --build-arg "COMMIT=$commit" \
  --label "org.opencontainers.image.revision=$commit" \
  --label "org.opencontainers.image.base.name=docker.io/library/$base" \
  --label "org.opencontainers.image.base.digest=$digest" --tag "$tag" "$root"
