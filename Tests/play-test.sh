#!/usr/bin/env bash
# Tests the page of `make play` in headless Chromium, with a playground in the build folder. It needs
# what Tests/browser-test.sh needs.
set -euo pipefail
cd "$(dirname "$0")/.."

Tests/Browser/install.sh
docs/site/tools.sh
export PLAYGROUND=.build/play-test/playground
rm -rf "$PLAYGROUND"
mkdir -p "$PLAYGROUND"
sed '/^\/\/ \(end\)*region/d' Scenarios/play/template.swift >"$PLAYGROUND/main.swift"
for product in playground search-as-you-type poll-and-combine retry-then-fallback first-stream \
  decode-user demand share-single-load from-handler-to-publisher; do
  swift build --product "$product"
done
swift build --disable-build-manifest-caching --package-path Scenarios/play
PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 .build/site-tools/bin/python Tests/Browser/play_test.py \
  Scenarios/play/.build/debug/play "$(swift build --show-bin-path)" "$PLAYGROUND" \
  Tests/OutsidePackage/Tests/AppTests/PlayTests.swift
