#!/usr/bin/env bash
# Tests the pages of `--player` in headless Chromium: all scenarios, or those that are named. Needs
# Swift, Python 3.11 or later, and Debian's packages chromium and chromium-driver. It installs those
# two if they're missing. The driver's client and axe-core go into .build/browser.
#
# Usage: Tests/browser-test.sh [SCENARIO ...]
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "player: $1" >&2
  exit 1
}

command -v python3 >/dev/null || fail "needs Python 3: on Debian, apt-get install python3"
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  {
    "${as_root[@]}" apt-get update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes chromium chromium-driver
  } >&2 || fail "needs Chromium: on Debian, apt-get install chromium chromium-driver"
fi

tools=.build/browser
list=Tests/Browser/requirements.txt
if ! cmp -s "$list" "$tools/requirements.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools" ||
    fail "needs Python's venv: on Debian and Ubuntu, apt-get install python3-venv"
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --require-hashes --requirement "$list"
  cp "$list" "$tools/requirements.txt"
fi

swift build
pages=$tools/pages
rm -rf "$pages"
mkdir -p "$pages"
all=$(sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift)
# shellcheck disable=SC2086 # One argument for each scenario.
PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" Tests/Browser/player_test.py \
  "$(swift build --show-bin-path)" "$pages" ${*:-$all}
