#!/usr/bin/env bash
# Checks the workflows and the templates of issues with linters, which it installs into
# .build/workflow-tools. Needs Python 3.11 or later.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=.build/workflow-tools
versions='check-jsonschema==0.39.0 zizmor==1.32.0'
if [ "$(cat "$tools/versions" 2>/dev/null)" != "$versions" ]; then
  command -v python3 >/dev/null || {
    echo "workflow: needs Python 3: on Debian and Ubuntu, apt-get install python3 python3-venv" >&2
    exit 1
  }
  rm -rf "$tools"
  python3 -m venv "$tools"
  # The versions are two words.
  # shellcheck disable=SC2086
  "$tools/bin/pip" install --quiet --disable-pip-version-check $versions
  echo "$versions" >"$tools/versions"
fi

# Shows the output of a linter only if it finds something.
quietly() {
  local output
  output=$("$tools/bin/$1" "${@:2}" 2>&1) || {
    echo "$output" >&2
    echo "workflow: $1 finds problems (see above)" >&2
    exit 1
  }
}
check() { # schema, files
  quietly check-jsonschema --builtin-schema "vendor.$1" "${@:2}"
}
# The last one is for readers to copy.
workflows=(.github/workflows/*.yml Tests/OutsidePackage/CombineApp/linux.yml)
check github-workflows "${workflows[@]}"
check github-issue-config .github/ISSUE_TEMPLATE/config.yml
templates=()
for file in .github/ISSUE_TEMPLATE/*.yml; do
  [ "$file" = .github/ISSUE_TEMPLATE/config.yml ] || templates+=("$file")
done
check github-issue-forms "${templates[@]}"
quietly zizmor --offline "${workflows[@]}"
echo "workflow: the workflows and the templates are well-formed"
