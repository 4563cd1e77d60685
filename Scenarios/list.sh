#!/usr/bin/env bash
# Prints the name and the summary of each scenario: the two strings of its `Scenario("…", "…")`.
#
# Usage: Scenarios/list.sh NAME...
set -euo pipefail
cd "$(dirname "$0")"

for name in "$@"; do
  summary=$(tr '\n' ' ' <"$name/main.swift" |
    sed -nE 's/.*Scenario\( *"'"$name"'", *"(([^"\\]|\\.)*)".*/\1/p')
  printf '%-25s  %s\n' "$name" "${summary//\\/}"
done
