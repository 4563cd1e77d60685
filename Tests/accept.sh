#!/usr/bin/env bash
# Accepts the outputs of failed snapshot tests: copies them from .build/snapshots over the snapshots,
# and shows the difference.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."

accepted=0
ambiguous=0
for actual in .build/snapshots/*/*.txt; do
  name=${actual#.build/snapshots/}
  references=(Tests/*/Snapshots/"$name")
  folders=(Tests/*/Snapshots/"${name%/*}"/)
  if [ ${#references[@]} -eq 0 ] && [ ${#folders[@]} -gt 0 ]; then
    references=("${folders[@]/%/${name##*/}}")
  fi
  case ${#references[@]} in
    0) reference=Tests/ScenarioTests/Snapshots/$name ;;
    1) reference=${references[0]} ;;
    *)
      echo "accept: $actual matches several snapshots: ${references[*]}; copy it by hand" >&2
      ambiguous=$((ambiguous + 1))
      continue
      ;;
  esac
  mkdir -p "$(dirname "$reference")"
  mv "$actual" "$reference"
  echo "accepted $reference"
  accepted=$((accepted + 1))
done

if [ $accepted -gt 0 ]; then
  git --no-pager diff --stat -- Tests
elif [ $ambiguous -eq 0 ]; then
  echo "nothing to accept: run make test first"
fi
[ $ambiguous -eq 0 ]
