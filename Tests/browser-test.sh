#!/usr/bin/env bash
# Tests the pages of `--player` in headless Chromium. Needs Swift and Python 3.11 or later. Missing
# packages of Debian are installed, and the driver's client and axe-core go into .build/site-tools.
#
# Usage: Tests/browser-test.sh SCENARIO...
set -euo pipefail
cd "$(dirname "$0")/.."

Tests/Browser/install.sh
docs/site/tools.sh
swift build
pages=.build/stage-test
rm -rf "$pages"
mkdir -p "$pages"
PYTHONDONTWRITEBYTECODE=1 .build/site-tools/bin/python Tests/Browser/stage_test.py \
  "$(swift build --show-bin-path)" "$pages" "$@"
