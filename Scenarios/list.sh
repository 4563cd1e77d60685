#!/usr/bin/env bash
# Prints the course: its sections, and each scenario with what it shows, its minutes, and the pages to
# read before it. They come from docs/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."

awk '
  /^<!-- course -->/ { on = 1; next }
  /^## / { on = 0 }
  on && /^### / { print (count++ ? "\n" : "") substr($0, 5) }
  on && /^[0-9]+\. / {
    name = $0; sub(/^[^[]*\[/, "", name); sub(/\].*/, "", name)
    text = $0; sub(/^[^)]*\): /, "", text)
    effort = text; sub(/.*_\(/, "", effort); sub(/\)_$/, "", effort)
    sub(/ _\(.*/, "", text)
    printf "  %-25s  %s\n  %-25s  %s\n", name, text, "", effort
  }' docs/README.md
echo
echo "Run one: swift run first-stream. Exercises for all of them: make exercises"
