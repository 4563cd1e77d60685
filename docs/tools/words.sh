#!/usr/bin/env bash
# Finds words that this project doesn't use, and comments that are wider than 100 columns. The words,
# each with a better one, stand in the tables of docs/contributing/style.md.
#
# It reads pages, all comments, and the messages in what ships (strings with a space). It leaves out
# code, quotations, and tables whose first header is "Not" or "Instead of".
#
# Usage: docs/tools/words.sh [FILE...]
#   FILE  the files to read; by default those of the repository, from its folder
set -euo pipefail

fail() {
  echo "words: $1" >&2
  exit 64
}
style=docs/contributing/style.md
[ -f $style ] || fail "there is no $style here: run this in the package's folder"
if [ $# -eq 0 ]; then
  mapfile -t files < <(git ls-files -co --exclude-standard '*.md' '*.swift' '*.sh' '*.py' Makefile .ci/run)
  # Some are removed already, and a link leads to a file that's read itself.
  for file in "${files[@]}"; do [ ! -f "$file" ] || [ -L "$file" ] || set -- "$@" "$file"; done
fi
for file in "$@"; do [ -f "$file" ] || fail "there is no file $file"; done
LC_ALL=C awk -f "$(dirname "$0")/words.awk" $style "$@"
