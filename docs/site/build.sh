#!/usr/bin/env bash
# Builds the site into .build/site. Needs Swift and Python 3.11 or later; the first run downloads the
# generator into .build/site-tools.
#
# Usage: docs/site/build.sh SCENARIO...
set -euo pipefail
cd "$(dirname "$0")/../.."

docs/site/tools.sh
# The tests run the operators' examples, and write a page of each run.
swift build --build-tests
bin=$(swift build --show-bin-path)

staging=.build/site-source
players=.build/site-players
rm -rf "$players" .build/site
mkdir -p "$players"
for scenario in "$@"; do
  "$bin/$scenario" --player "$players/$scenario.html" >/dev/null
done
docs/site/home.sh "$bin" "$players/home.html"
EXAMPLE_PLAYERS="$PWD/$players/operators" swift test --skip-build --filter '^OperatorPagesTests\.' \
  >"$players/log.txt" 2>&1 || {
  cat "$players/log.txt" >&2
  echo "site: the examples of the operators have no players; see above" >&2
  exit 1
}
rm "$players/log.txt"

# The pages of operators have stages of their own.
mkdir "$players/marbles"
swift build --disable-build-manifest-caching --package-path docs/tools --product run-marbles
marbles=$(swift build --package-path docs/tools --show-bin-path)/run-marbles
"$marbles" --parts | while read -r number part; do
  "$marbles" --player "$players/marbles/$part.html" --part "$number" --step 100ms >/dev/null
done

PYTHONDONTWRITEBYTECODE=1 .build/site-tools/bin/python docs/site/stage.py \
  "$staging" .build/site "$players"
log=.build/site-source/log.txt
# The generator announces its successor in each build; CONTRIBUTING.md knows about it.
NO_MKDOCS_2_WARNING=1 .build/site-tools/bin/mkdocs build --strict \
  --config-file "$staging/mkdocs.yml" >"$log" 2>&1 || {
  sed '/^INFO/d;/^$/d' "$log" >&2
  echo "site: the generator found problems in the pages; they are listed above" >&2
  exit 1
}
echo "site: open .build/site/index.html"
