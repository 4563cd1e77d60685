#!/usr/bin/env bash
# Prints how long the compiler takes to type-check each function of Tests/SlowTests/Sources/chains/OneExpression.swift,
# each of which is one long expression. CI only compiles them, because seconds depend on the machine.
#
# Usage: `Tests/bench-typecheck.sh`
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --quiet --target Streams
echo "chain                      seconds  to reach"
swiftc -typecheck -swift-version 6 -I .build/debug/Modules \
  -Xfrontend -debug-time-function-bodies \
  Tests/SlowTests/Sources/chains/Report.swift Tests/SlowTests/Sources/chains/OneExpression.swift 2>&1 |
  awk '
    BEGIN { target["ten"] = 2; target["twenty"] = 10; target["twentyOfMapAndFilter"] = 10 }
    match($0, /OneExpression\.[A-Za-z]+@/) {
      name = substr($0, RSTART + 14, RLENGTH - 15)
      if (name != "report") printf "%-26s %7.2f  %8s\n", name, $1 / 1000, target[name]
    }'
