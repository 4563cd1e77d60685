#!/usr/bin/env bash
# Runs each scenario N times in a row, and N times more while the cores are busy. Each run must print
# its snapshot, byte for byte. Prints one line per scenario, and exits with 1 if a run differed.
#
# Usage: Tests/soak.sh [N=100] [BIN=.build/debug] [SCENARIO ...]
set -euo pipefail
cd "$(dirname "$0")/.."

n=100
bin=.build/debug
scenarios=()
for argument in "$@"; do
  case "$argument" in
    N=*) n=${argument#N=} ;;
    BIN=*) bin=${argument#BIN=} ;;
    -* | *=*)
      echo "soak: unknown argument '$argument'; usage: Tests/soak.sh [N=100] [BIN=DIR] [SCENARIO ...]" >&2
      exit 64
      ;;
    *) scenarios+=("$argument") ;;
  esac
done
if ! [[ $n =~ ^[1-9][0-9]*$ ]]; then
  echo "soak: N is '$n', expected a number above zero" >&2
  exit 64
fi
if [ ${#scenarios[@]} -eq 0 ]; then
  mapfile -t scenarios < <(
    sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift)
fi

work=$(mktemp -d)
spinners=()

start_load() {
  local cores
  cores=$(getconf _NPROCESSORS_ONLN)
  for ((core = 0; core < 2 * cores; core++)); do
    # Even if this script is killed, its spinners end a moment later.
    while kill -0 $$ 2>/dev/null; do for ((i = 0; i < 100000; i++)); do :; done; done &
    spinners+=($!)
  done
}

stop_load() {
  [ ${#spinners[@]} -eq 0 ] && return 0
  kill "${spinners[@]}" 2>/dev/null || true
  wait "${spinners[@]}" 2>/dev/null || true
  spinners=()
}

trap 'stop_load; rm -rf "$work"' EXIT

# Runs a scenario n times, and reports the first wrong run.
repeat() { # scenario, circumstance
  local snapshot="Tests/ScenarioTests/Snapshots/$1/transcript.txt" run status
  for ((run = 1; run <= n; run++)); do
    status=0
    timeout 900 "$bin/$1" >"$work/output" 2>"$work/errors" </dev/null || status=$?
    if [ $status -ne 0 ]; then
      echo "$1: run $run of $n$2 ended with $status$([ $status -eq 124 ] && echo ", after 900 s")"
      head -n 20 "$work/errors"
      return 1
    fi
    if ! cmp -s "$snapshot" "$work/output"; then
      echo "$1: run $run of $n$2 differs from $snapshot"
      diff -u "$snapshot" "$work/output" | head -n 40 || true
      return 1
    fi
  done
}

# Reports a missing executable or snapshot before the first run.
missing() { # scenario
  local snapshot="Tests/ScenarioTests/Snapshots/$1/transcript.txt"
  if ! [ -x "$bin/$1" ]; then
    echo "$1: no executable in $bin; run swift build first"
  elif ! [ -f "$snapshot" ]; then
    echo "$1: no snapshot $snapshot; write it with: make record"
  else
    return 1
  fi
}

failures=0
for scenario in "${scenarios[@]}"; do
  if missing "$scenario"; then
    failures=$((failures + 1))
    continue
  fi
  SECONDS=0
  if repeat "$scenario" "" && start_load && repeat "$scenario" " under load"; then
    echo "$scenario: $n runs and $n under load print the snapshot (${SECONDS} s)"
  else
    failures=$((failures + 1))
  fi
  stop_load
done
[ $failures -eq 0 ]
