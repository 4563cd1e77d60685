#!/usr/bin/env bash
# Compiles the code in Tests/CompilerMessages, and compares what the compiler says with what the pages
# quote. quotes.tsv has a line for each quote, in which `…` stands for anything. A message that a page
# quotes without such a line is an error too.
set -euo pipefail
cd "$(dirname "$0")/.."

# Some of them are about what Linux doesn't have.
[ "$(uname)" = Linux ] || { echo "messages: they are compared on Linux only"; exit 0; }

swift build --quiet --target StreamsFoundation
modules=$(swift build --show-bin-path)/Modules
failures=0
quotes=0
folder=Tests/CompilerMessages
outputs=$(mktemp -d)
trap 'rm -rf "$outputs"' EXIT
fail() {
  echo "messages: $1" >&2
  failures=$((failures + 1))
}

# A page in one line, because lines break quotes anywhere.
page_text() { tr '\n' ' ' <"$1" | tr -s ' '; }

for file in "$folder"/*.swift; do
  name=$(basename "$file")
  cut -f 2 "$folder/quotes.tsv" | grep -qxF "$name" || fail "$file: no quote in quotes.tsv needs it"
  # shellcheck disable=SC2046
  swiftc -emit-sil -o /dev/null -swift-version 6 -I "$modules" \
    $(sed -n 's/^\/\/ flags: //p' "$file") "$file" >"$outputs/$name" 2>&1 || true
done

while IFS=$'\t' read -r page name quote; do
  quotes=$((quotes + 1))
  [[ $(page_text "$page") == *"$quote"* ]] || fail "quotes.tsv: $page doesn't quote $quote"
  text=${quote#error: }
  # `…` becomes `.*`, and everything else stands for itself.
  pattern=$(sed -E 's/[][\.*^$()+?{}|]/\\&/g; s/…/.*/g' <<<"${text//\`/}")
  grep -qE -- "$pattern" "$outputs/$name" || {
    cat "$outputs/$name" >&2
    fail "$name: the compiler says something else than $quote (see above)"
  }
done < <(tail -n +2 "$folder/quotes.tsv")

# The words of compilers. A quote has one of them, between backticks or in an output.
words="requires the types|synchronous nonisolated|may introduce data races|never be executed"
words+="|cannot find|has no member|missing argument for|non-Sendable (type|parameter)|unable to type-check"
words+="|isolated property|Objective-C interoperability|no such module|has moved to|unknown attribute"
words+="|has been renamed to|be inferred|cannot convert"
while IFS= read -r page; do
  while IFS= read -r quote; do
    cut -f 1,3 "$folder/quotes.tsv" | grep -qxF -- "$page"$'\t'"$quote" ||
      fail "$page quotes $quote, which no line of $folder/quotes.tsv has"
  done < <(
    # In outputs, and then in the text around them.
    sed -nE 's/^ *(error: .*)/\1/p' "$page" | grep -E "$words" || true
    awk '/^ *```/ { code = !code; next } !code' "$page" | tr '\n' ' ' | tr -s ' ' |
      grep -oE '`[^`]+`' | grep -E "$words" || true
  )
done < <(git ls-files '*.md' | grep -v '^docs/exercises/')

if [ "$failures" -gt 0 ]; then exit 1; fi
echo "messages: $quotes quotes are what the compiler says"
