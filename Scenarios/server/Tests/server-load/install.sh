#!/usr/bin/env bash
# Installs `ab`, which sends the requests, if it's missing. Needs Debian or Ubuntu for that.
set -euo pipefail

command -v ab >/dev/null && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
{
  "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes apache2-utils
} >&2 || {
  echo "server-load: can't install apache2-utils: install it yourself, and run this again" >&2
  exit 1
}
