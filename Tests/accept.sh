#!/usr/bin/env bash
# Accepts the outputs of failed snapshot tests: moves them from .build/snapshots over the snapshots,
# and shows the difference.
set -euo pipefail
cd "$(dirname "$0")/.."

accepted=0
while IFS= read -r -d '' actual; do
  reference=${actual#.build/snapshots/}
  mkdir -p "$(dirname "$reference")"
  mv "$actual" "$reference"
  echo "accepted $reference"
  accepted=$((accepted + 1))
done < <(find .build/snapshots/Tests -name '*.txt' -print0 2>/dev/null | sort -z)

if [ $accepted -gt 0 ]; then
  git --no-pager diff --stat -- Tests
else
  echo "nothing to accept: run make test first"
fi
