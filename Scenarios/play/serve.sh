#!/usr/bin/env bash
# Builds the server of the stage, and serves a program.
#
# Usage: Scenarios/play/serve.sh PROGRAM [OPTION...]
set -euo pipefail
server=$(dirname "$(realpath "$0")")

if [ ! -e "$server/.build/debug/play" ]; then
  echo "The first time takes a minute or two: it builds the server, and then the libraries." >&2
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
exec "$server/.build/debug/play" "$@"
