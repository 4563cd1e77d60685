#!/usr/bin/env bash
# How much a reader of an operator has to read: the files that the table in docs/architecture.md
# lists, and their lines. Compares the table with the sources, and prints it. With --write, writes
# the numbers into the page.
#
# A list is complete when each type that its files name, and that isn't public, is in one of its
# files. Two kinds don't count: the types next to the protocols in Sources/Streams itself, which are
# the words that everybody knows, and Debugging, where the hooks are.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/architecture.md
written=$(mktemp)
trap 'rm -f "$written"' EXIT

find Sources/Streams -name '*.swift' | sort | awk -v page="$page" -v written="$written" '
function error(text) { print "core: " text > "/dev/stderr"; failed = 1 }

# The sources: where each file is, its lines, and the types that it declares.
{
  path = $0
  name = path; sub(/.*\//, "", name); sub(/\.swift$/, "", name)
  if (name in paths) error(path " has the name of " paths[name])
  paths[name] = path
  isKnown = path ~ /^Sources\/Streams\/[^\/]*$/ || path ~ /\/Debugging\/[^\/]*$/ && path !~ /Operators/
  while ((getline line < path) > 0) {
    count[name]++
    total++
    sub(/\/\/.*/, "", line)
    code[name] = code[name] " " line
    if (isKnown || line !~ /^[@a-zA-Z]/ || line ~ /(^|[^a-z])(public|private)( |$)/) continue
    if (match(line, /(^| )(class|struct|enum|protocol|typealias) [A-Z][A-Za-z0-9]*/)) {
      type = substr(line, RSTART, RLENGTH); sub(/.* /, "", type)
      home[type] = name
    }
  }
  close(path)
}

# The table: one row an operator.
function check(row,    cells, operator, parts, n, i, j, names, listed, words, type, lines) {
  split(row, cells, "|")
  operator = cells[2]; gsub(/[` ]/, "", operator)
  for (i = 2; i <= split(cells[3], parts, "`"); i += 2) { names[++n] = parts[i]; listed[parts[i]] = 1 }
  for (i = 1; i <= n; i++) {
    if (!(names[i] in paths)) { error(operator ": there is no " names[i] ".swift"); continue }
    lines += count[names[i]]
    for (j = split(code[names[i]], words, /[^A-Za-z0-9_]+/); j > 0; j--) {
      type = words[j]
      if (type in home && !(home[type] in listed)) {
        error(operator ": " names[i] " names " type ", so add " home[type])
        listed[home[type]] = 1
      }
    }
  }
  summary = summary (summary ? ", " : "") operator " " n "/" lines
  return "|" cells[2] "|" cells[3] "| " n " | " lines " |"
}

END {
  while ((getline line < page) > 0) {
    if (line ~ /^\| To understand /) { isTable = 1; rows = 0; print line > written; continue }
    if (isTable && line !~ /^\|/) isTable = 0
    if (isTable && line !~ /^\| *-/) {
      row = check(line)
      rows++
      if (row != line) stale = stale (stale ? ", " : "") substr(line, 1, index(substr(line, 2), "|"))
      line = row
    }
    print line > written
  }
  close(written)
  if (!rows) error(page " has no table that begins with To understand")
  print "core: " summary (summary ? ", " : "") "Streams " total " (files/lines)"
  if (failed) exit 1
  if (stale != "") exit 3
}' && exit 0 || status=$?

[ "$status" -eq 3 ] || exit "$status"
if [ "${1:-}" = --write ]; then
  cat "$written" >"$page"
else
  echo "core: the table in $page is stale: run make docs" >&2
  exit 1
fi
