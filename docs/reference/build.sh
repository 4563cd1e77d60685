#!/usr/bin/env bash
# Builds the API reference of the given modules with the toolchain's docc, into .build/reference. A
# warning, or a public symbol without a comment, is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=.build/reference
work=.build/reference-work
rm -rf "$out" "$work"
mkdir -p "$work"

swift build --quiet --target StreamsTesting
swift build --quiet --target StreamsExtras
swift build --quiet --disable-build-manifest-caching --package-path docs/tools \
  --product check-api
docc=$(command -v docc) || docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
target=$(swift -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)
bin=$(swift build --show-bin-path)

archives=()
graphs=()
for module in "$@"; do
  mkdir -p "$work/$module"
  swift symbolgraph-extract -module-name "$module" -I "$bin/Modules" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -output-dir "$work/$module"
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "stream-scenarios.$module" \
    --fallback-default-module-kind Module --warnings-as-errors \
    --output-path "$work/$module.doccarchive" >"$work/$module.log" || {
      cat "$work/$module.log" >&2
      echo "reference: $module has warnings" >&2
      exit 1
    }
  graphs+=("$work/$module")
  archives+=("$work/$module.doccarchive")
done

docs/tools/.build/debug/check-api --documented "${graphs[@]}"
"$docc" merge "${archives[@]}" --output-path "$out" \
  --synthesized-landing-page-name "API reference" \
  --synthesized-landing-page-kind stream-scenarios --synthesized-landing-page-topics-style list
symbols=$(cd "$out/data/documentation" && find . -name '*.json' | wc -l)
echo "reference: $# modules, $symbols pages in $out/documentation"
