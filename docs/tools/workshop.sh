#!/usr/bin/env bash
# Checks the workshops of docs/for-teachers.md: the minutes of each table add up to 180, a row has at
# least the minutes that the course's list gives its lesson, and each lesson comes after those that it
# needs.
#
# Usage: docs/tools/workshop.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
awk -F ' *[|] *' '
  function fail(text) { print "workshop: " text > "/dev/stderr"; failed = 1 }
  function finish() { if (sum && sum != 180) fail("a table has " sum " minutes instead of 180"); sum = 0 }
  # The list: a line such as "2. [name](scenarios/name.md): … _(12 minutes, after first-stream)_".
  FILENAME ~ /README/ {
    if (match($0, /_\([0-9]+ minutes.*\)_$/)) {
      effort = substr($0, RSTART + 2, RLENGTH - 4)
      name = $0; sub(/^[0-9]+\. \[/, "", name); sub(/\].*/, "", name)
      minutes[name] = effort + 0
      if (sub(/^.*after /, "", effort)) needs[name] = effort
    }
    next
  }
  /^\| [0-9]+ \|/ {
    sum += $2
    name = $3
    if (!sub(/\]\(scenarios\/.*/, "", name)) next
    sub(/^\[/, "", name)
    lessons++
    if (!(name in minutes)) fail(name " has no minutes in the list of the course")
    if ($2 < minutes[name]) fail(name " has " $2 " minutes, and takes " minutes[name])
    count = split(needs[name], before, ", ")
    for (i = 1; i <= count; i++)
      if (!(before[i] in seen)) fail(name " comes before " before[i] ", which it needs")
    seen[name] = 1
    next
  }
  !/^\|/ { finish() }
  END {
    finish()
    if (!lessons) fail("no table has a lesson")
    exit failed
  }
' docs/README.md docs/for-teachers.md
