#!/usr/bin/env bash
# Compares the output of release builds with the snapshots, byte for byte: each scenario in each output
# format and in real time, the long chains, and a check of the lock. `make release-check` builds the
# programs first.
#
# Usage: Tests/release-check.sh BIN [CHAINS_BIN ...]
#   BIN         the folder with the scenarios
#   CHAINS_BIN  the folders with builds of the chains
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
  echo "usage: Tests/release-check.sh BIN [CHAINS_BIN ...]" >&2
  exit 64
fi
bin=$1
shift
mapfile -t scenarios < <(
  sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0
failures=0

compare() { # snapshot, program, arguments
  local snapshot=$1 status=0
  shift
  compared=$((compared + 1))
  timeout 900 "$@" >"$work/output" 2>"$work/errors" </dev/null || status=$?
  if [ $status -ne 0 ]; then
    echo "$*: ended with $status"
    head -n 20 "$work/errors"
  elif [ -s "$work/errors" ]; then
    echo "$*: prints on standard error:"
    head -n 20 "$work/errors"
  elif ! cmp -s "$snapshot" "$work/output"; then
    echo "$*: differs from $snapshot"
    diff -u "$snapshot" "$work/output" | head -n 40 || true
  else
    return 0
  fi
  failures=$((failures + 1))
}

# Real time is mostly waiting, so all scenarios run at once, behind the comparisons below.
for scenario in "${scenarios[@]}"; do
  {
    timeout 900 "$bin/$scenario" --real-time --trace 2>&1 </dev/null || echo "ended with $?"
  } >"$work/$scenario" &
done

for scenario in "${scenarios[@]}"; do
  snapshots=Tests/ScenarioTests/Snapshots/$scenario
  compare "$snapshots/transcript.txt" "$bin/$scenario"
  compare "$snapshots/marble.txt" "$bin/$scenario" --marbles
  compare "$snapshots/trace.txt" "$bin/$scenario" --trace
done
compare Tests/ScenarioTests/Snapshots/decode-user/help.txt "$bin/decode-user" --help
compare Tests/ScenarioKitTests/Snapshots/optimised-locks/transcript.txt "$bin/optimised-locks"
for folder in "$@"; do
  for program in chains chains-swift5; do
    compare Tests/SlowTests/Snapshots/chains.txt "$folder/$program"
  done
done

wait
for scenario in "${scenarios[@]}"; do
  compare "Tests/ScenarioTests/Snapshots/$scenario/trace.txt" cat "$work/$scenario"
done

if [ $failures -gt 0 ]; then
  echo "release: $failures of $compared outputs differ from their snapshots"
  exit 1
fi
echo "release: $compared outputs equal their snapshots"
