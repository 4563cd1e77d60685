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

server=Scenarios/play
if [ ! -e "$server/.build/debug/play" ]; then
  echo "The first time takes a few minutes: it builds the server, and then the libraries." >&2
fi
if [ ! -e "$server/.build/workspace-state.json" ]; then
  echo "Downloading what the server needs…" >&2
  swift package --package-path "$server" resolve >/dev/null 2>&1 || {
    echo "play: can't download FlyingFox and swift-argument-parser, which serve the page. Are you" \
      "online? swift package --package-path $server resolve says more" >&2
    exit 1
  }
fi
swift build --package-path "$server" --product play >&2
echo "Your code: $code/main.swift. Save it in your editor, and the page shows the new run." >&2
exec "$server/.build/debug/play" "${1:-playground}" --watch "$code" --watch Sources "${@:2}"
