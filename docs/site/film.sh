#!/usr/bin/env bash
# Films the home page's stage for README, into docs/film. Needs what `make site-check` needs.
set -euo pipefail
cd "$(dirname "$0")/../.."

Tests/Browser/install.sh
docs/site/tools.sh
swift build --product search-as-you-type
docs/site/home.sh "$(swift build --show-bin-path)" .build/home.html
.build/site-tools/bin/python docs/site/film.py .build/home.html docs/film
