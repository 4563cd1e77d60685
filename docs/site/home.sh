#!/usr/bin/env bash
# Writes the stage that the home page opens with: only the responses can be moved.
#
# Usage: docs/site/home.sh PROGRAMS_FOLDER FILE
set -euo pipefail

"$1/search-as-you-type" --player "$2" --part 1 --only responses --without-switch >/dev/null
