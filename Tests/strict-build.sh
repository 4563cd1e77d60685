#!/usr/bin/env bash
# Builds everything as `swift test` does, and fails if the compiler warns.
#
# It doesn't use -warnings-as-errors, because SwiftPM compiles everything again when flags change, so
# there would be two builds of everything. But a file that isn't compiled doesn't warn either. So each
# file with a warning is touched, and the next build warns again.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift build --build-tests 2>&1 | tee "$log"
grep -q 'warning: ' "$log" || exit 0

sed -nE 's/^(\/[^:]+\.swift):[0-9]+:[0-9]+: warning: .*/\1/p' "$log" | sort -u | xargs -r touch
echo "build: warnings count as errors (see above)" >&2
exit 1
