#!/usr/bin/env bash
# Installs the tools of the site and of the browser tests into .build/site-tools, if a list of
# versions has changed.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=.build/site-tools
lists=(Tests/Browser/requirements.txt docs/site/requirements.txt)
cat "${lists[@]}" | cmp -s - "$tools/requirements.txt" && exit
command -v python3 >/dev/null || {
  echo "site: needs Python 3: on Debian and Ubuntu, apt-get install python3 python3-venv" >&2
  exit 1
}
rm -rf "$tools"
python3 -m venv "$tools" || {
  echo "site: needs Python's venv: on Debian and Ubuntu, apt-get install python3-venv" >&2
  exit 1
}
for list in "${lists[@]}"; do
  "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$list"
done
cat "${lists[@]}" >"$tools/requirements.txt"
