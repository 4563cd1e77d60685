#!/usr/bin/env bash
# Builds and runs tests, and fails if not a single one ran. `swift test` on its own succeeds then.
#
# Usage: Tests/run.sh [arguments of swift test ...]
set -euo pipefail
cd "$(dirname "$0")/.."

# A build of its own, because it shows its progress only if its output isn't piped.
swift build --build-tests

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test --skip-build "$@" 2>&1 | tee "$log"
# The closing lines of Swift Testing and of XCTest.
if ! grep -qE '(Test run with|Executed) [1-9][0-9]* test' "$log"; then
  echo "test: no test matches '$*'; list the names of all tests with: swift test list" >&2
  exit 1
fi
