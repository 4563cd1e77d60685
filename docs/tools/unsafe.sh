#!/usr/bin/env bash
# Finds code that the compiler can't check and that docs/unsafe-code.md doesn't name: variables with
# `@exclusivity(unchecked)`, types that are `@unchecked Sendable`, and the files of anything else.
#
# Usage: docs/tools/unsafe.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/unsafe-code.md
failures=0
fail() { # place, what's missing
  echo "unsafe: $1 has $2, which $page doesn't name" >&2
  failures=$((failures + 1))
}
# The words between backticks.
named=$(grep -oE '`[^`]+`' "$page" | grep -oE '[A-Za-z_]+' | sort -u)
isNamed() { grep -qxF -- "$1" <<<"$named"; }

# An attribute may stand on a line of its own, or two of them before the variable.
while IFS=: read -r file line; do
  name=$(sed -n "$line,$((line + 2))p" "$file" | grep -oE '\b(var|let) [A-Za-z]+' | head -n 1 || true)
  name=${name#* }
  isNamed "$name" || fail "$file:$line" "the variable '$name'"
done < <(grep -rn --include='*.swift' '@exclusivity(unchecked)' Sources | grep -v ':[0-9]*: *//' \
  | cut -d : -f 1-2)

# The name stands on this line, or on one of the two before.
while IFS=: read -r file line; do
  name=$(sed -n "$((line > 2 ? line - 2 : 1)),${line}p" "$file" \
    | grep -oE '(class|struct|enum|extension) [A-Za-z.]+' | tail -n 1 | sed 's/.*[ .]//' || true)
  isNamed "$name" || fail "$file:$line" "the type '$name'"
done < <(grep -rn --include='*.swift' '@unchecked Sendable' Sources | grep -v ':[0-9]*: *//' \
  | cut -d : -f 1-2)

# The name of the file. `withUnsafePointer` and the like are on the page in general. A conformance
# that adds nothing to a type, such as `extension UnsafePointer: Unrepeatable {}`, uses no pointer.
empty='^[^:]*:extension Unsafe[A-Za-z]+: [A-Za-z., ]+ \{\}$'
words='Unmanaged|nonisolated\(unsafe\)|\bunsafe[A-Z]|\bUnsafe[A-Z]|_forEachField|_enclosingInstance'
while IFS= read -r file; do
  name=$(basename "$file" .swift | sed 's/+.*//')
  isNamed "$name" || fail "$file" "'$(grep -oE "$words" "$file" | head -n 1)'"
done < <(grep -rE --include='*.swift' "$words" Sources | grep -vE "$empty" | cut -d : -f 1 | sort -u)

if [ "$failures" -gt 0 ]; then exit 1; fi
