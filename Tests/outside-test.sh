#!/usr/bin/env bash
# Builds and tests the package in Tests/OutsidePackage as a user of the libraries would: in a new
# folder, next to this package under the name stream-scenarios. Tests run in debug and in release.
# Those that fail on purpose have to print Tests/OutsidePackage/Snapshots/failures.txt. Then it tests
# the package in Tests/OutsidePackage/CombineApp, which says `import Combine`, and an app there that
# takes a library by URL.
#
# Usage: Tests/outside-test.sh [--record]
#   --record  writes the snapshots instead of comparing them
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/Tests/OutsidePackage

record=
case "${1-}" in
  "") ;;
  --record) record=yes ;;
  *)
    echo "usage: Tests/outside-test.sh [--record]" >&2
    exit 64
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# SwiftPM takes the name of a package from its folder, and a clone may have any name.
ln -s "$root" "$work/stream-scenarios"
mkdir "$work/app" "$work/combine-app"
cp -R "$package/Package.swift" "$package/Sources" "$package/Tests" "$work/app"
cp -R "$package/CombineApp/Package.swift" "$package/CombineApp/Sources" "$package/CombineApp/Tests" \
  "$work/combine-app"
cd "$work/app"

fail() {
  echo "outside: $1" >&2
  exit 1
}

# The output is shown as it comes. A warning is an error, because it would be the user's first sight.
run() { # name, command
  local log=$work/$1.log
  shift
  "$@" 2>&1 | tee "$log"
  if grep -q 'warning:' "$log"; then fail "'$*' prints a warning (see above)"; fi
}

if [ -n "$record" ]; then
  env -u CI SNAPSHOT_RECORD=all swift test || true
  rm -rf "$package/Tests/AppTests/Snapshots"
  cp -R Tests/AppTests/Snapshots "$package/Tests/AppTests"
fi

run build swift build
run debug timeout 900 swift test
run release timeout 900 swift test --configuration release -Xswiftc -enable-testing

# Swift Testing and XCTest each count their own. A test with a known issue has another sign.
passed() { # name
  local swift_testing xctest
  swift_testing=$(grep -c '^\(✔\|━\) Test .*() passed\|^✔ Test .* with .* test cases passed' \
    "$work/$1.log" || true)
  xctest=$(grep -c "^Test Case .* passed" "$work/$1.log" || true)
  echo $((swift_testing + xctest))
}
tests=$(passed debug)
[ "$tests" -gt 0 ] || fail "no test ran"
[ "$tests" -eq "$(passed release)" ] \
  || fail "$tests tests passed in debug, but $(passed release) in release"

if SHOW_FAILURES=1 swift test --skip-build --no-parallel --filter FailingTests \
  >"$work/failures.log" 2>&1; then
  cat "$work/failures.log"
  fail "the tests in FailingTests.swift passed, but they have to fail"
fi
# The issues of each test, without progress and times. After a failed test, Swift Testing quotes the
# comment above it.
awk '
  /^◇ Test .* started\.$/ { name = $3; sub(/\(\)$/, "", name); isIssue = 0; next }
  /^✘ Test .* recorded an issue/ {
    if (name != "") { print (count++ ? "\n" : "") "# " name; name = "" }
    isIssue = 1; print; next
  }
  /^(✘|◇|✔|➜|Test) / { isIssue = 0 }
  isIssue { print }
' "$work/failures.log" >"$work/failures.txt"

snapshot=$package/Snapshots/failures.txt
if [ -n "$record" ]; then
  cp "$work/failures.txt" "$snapshot"
elif ! diff -u "$snapshot" "$work/failures.txt"; then
  fail "failures print something new; to accept it: Tests/outside-test.sh --record, then make docs"
fi
failures=$(grep -c '^# ' "$work/failures.txt")

# Both packages use the same libraries, so the second one takes those that the first one has built.
run combine timeout 900 swift test --package-path "$work/combine-app" --scratch-path "$work/app/.build"
combine_tests=$(passed combine)
# Each test has to run in both language modes, whose targets are links to one folder.
for mode in CombineAppTests CombineAppTests5; do
  [ "$(readlink -f "$package/CombineApp/Tests/$mode")" = "$package/CombineApp/Tests/CombineAppTests" ] \
    || fail "Tests/$mode of CombineApp isn't there"
done
[ "$combine_tests" -gt 0 ] && [ $((combine_tests % 2)) -eq 0 ] \
  || fail "$combine_tests tests of CombineApp ran, which isn't the same number in both modes"

# What docs/coming-from-combine.md says of a package that's taken by URL, in a new build folder.
cp -R "$package/CombineApp/ByURL/Library" "$work/taken-by-url"
cp -R "$package/CombineApp/ByURL/App" "$work/by-url"
git -C "$work/taken-by-url" init --quiet --initial-branch main
git -C "$work/taken-by-url" add .
git -C "$work/taken-by-url" -c user.name=outside -c user.email=outside@example.com \
  commit --quiet --message "Everything"
sed -i "s|\"../taken-by-url\"|\"file://$work/taken-by-url\"|" "$work/by-url/Package.swift"
run target timeout 900 swift build --package-path "$work/by-url" --target Combine
run by-url timeout 900 swift run --package-path "$work/by-url" App
[ "$(tail -n 2 "$work/by-url.log")" = "$(printf '[1, 1]\n[2, 2]')" ] \
  || fail "a package that's taken by URL doesn't see Combine, although it was built first"

echo "outside: $tests tests pass in debug and release, $failures failures print their snapshot"
echo "outside: $combine_tests tests pass with import Combine, in Swift 5 and Swift 6"
