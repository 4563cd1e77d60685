#!/usr/bin/env bash
# Puts a program on the stage: the playground, which this makes at the first call, or a scenario.
#
# Usage: Scenarios/play/play.sh [SCENARIO [OPTION...]]
#   SCENARIO  an empty word for the playground
#   OPTION    an option of the server, such as --no-open
set -euo pipefail
cd "$(dirname "$0")/../.."

export PLAYGROUND=${PLAYGROUND:-Scenarios/playground}
code=${1:+Scenarios/$1}
code=${code:-$PLAYGROUND}
if [ -n "${1:-}" ] && [ ! -e "$code/main.swift" ]; then
  echo "play: there's no scenario '$1'. make list lists them" >&2
  exit 1
fi
if [ ! -e "$code/main.swift" ]; then
  mkdir -p "$code"
  # Without the marks of the part that a page shows.
  sed '/^\/\/ \(end\)*region/d' Scenarios/play/template.swift >"$code/main.swift"
fi

echo "Your code: $code/main.swift. Save it in your editor, and the page shows the new run." >&2
exec Scenarios/play/serve.sh "${1:-playground}" --watch "$code" --watch Sources "${@:2}"
