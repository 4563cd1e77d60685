#!/usr/bin/env bash
# Puts a program on the stage: the playground, which this makes at the first call, or a scenario.
#
# Usage: Scenarios/play/play.sh [SCENARIO]
set -euo pipefail
cd "$(dirname "$0")/../.."

export PLAYGROUND=Scenarios/playground
main=$PLAYGROUND/main.swift
if [ ! -e "$main" ]; then
  mkdir -p "$PLAYGROUND"
  # Without the marks of the part that a page shows.
  sed '/^\/\/ \(end\)*region/d' Scenarios/play/template.swift >"$main"
fi
code=${1:+Scenarios/$1}
code=${code:-$PLAYGROUND}
echo "Your code: $code/main.swift. Save it in your editor, and the page shows the new run." >&2
swift build --package-path Scenarios/play >&2
exec Scenarios/play/.build/debug/play "${1:-playground}" \
  --watch "$code" --watch Sources
