#!/usr/bin/env bash
# Compares the public symbols of Streams and StreamsFoundation with docs/reference/combine-api.tsv.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --quiet --target StreamsFoundation
swift build --quiet --disable-build-manifest-caching --package-path docs/tools \
  --product check-api
bin=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)

graphs=.build/api
rm -rf "$graphs"
mkdir -p "$graphs"
for module in Streams StreamsFoundation; do
  swift symbolgraph-extract -module-name "$module" -I "$bin/Modules" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -skip-inherited-docs \
    -output-dir "$graphs"
done
docs/tools/.build/debug/check-api "$graphs"
