#!/usr/bin/env bash
# Installs Chromium, its driver and Python's venv if they're missing. Needs Debian or Ubuntu for that.
set -euo pipefail

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
command -v python3 >/dev/null || missing+=(python3)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
{
  "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes "${missing[@]}"
} >&2 || {
  echo "browser: can't install ${missing[*]}: install them yourself, and run this again" >&2
  exit 1
}
