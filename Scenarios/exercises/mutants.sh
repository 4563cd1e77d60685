#!/usr/bin/env bash
# Checks that no exercise believes a right answer that was made wrong: each solution loses a call, gets
# two calls swapped, or another number or sign, and those that compile have to fail. Some still do
# what the solution does: Mutants.txt lists them with the reason.
#
# Usage: Scenarios/exercises/mutants.sh [--all]
#   --all  changes the other right answers of each exercise, too
set -euo pipefail
cd "$(dirname "$0")"

source ./texts.sh
source ./run.sh
source ./answers.sh

right_answers=solution.swift
case "${1-}" in
  "") ;;
  --all) right_answers='solution*.swift' ;;
  *)
    echo "usage: Scenarios/exercises/mutants.sh [--all]" >&2
    exit 64
    ;;
esac
# The modules that a mutant imports, and the program that makes mutants.
for name in $(checked_names); do add "$name" solution "Answers/$name/solution.swift"; done
build_answers
swift build --quiet --disable-build-manifest-caching --product mutate

compiles() { # folder
  swiftc -typecheck -swift-version 6 -enable-testing -I .build/debug/Modules -module-name mutant \
    "$1"/*.swift >/dev/null 2>&1
}
export -f compiles

# Each mutant is a module such as three-values-solution-2.
mutants=.build/mutants
rm -rf "$mutants"
modules=()
for name in $(checked_names); do
  for file in "Answers/$name"/$right_answers; do
    answer=$(basename "$file" .swift)
    mkdir -p "$mutants/$name/$answer"
    .build/debug/mutate "$file" "$mutants/$name/$answer" >"$mutants/$name/$answer/changes.txt"
    for mutant in $(find "$mutants/$name/$answer" -name '*.swift' | sort); do
      add "$name" "$answer-$(basename "$mutant" .swift)" "$mutant"
    done
  done
done
made=${#modules[@]}
compiling=$(printf '%s\n' "${modules[@]}" |
  xargs -P "$(nproc)" -I '{}' bash -c "compiles $answers/{} && echo '{}' || true" | sort)
mapfile -t modules <<<"$compiling"
build_answers

# A mutant may loop without an end.
seconds=5
survivors=
for module in "${modules[@]}"; do
  run_answer .build/debug/all-answers "$module"
  [ "$result" = right ] || continue
  name=$(exercise_of "$module")
  variant=${module#"$name"-}
  answer=${variant%-*}
  survivors+="$name, $answer: $(sed -n "${variant##*-}p" "$mutants/$name/$answer/changes.txt")"$'\n'
done
# Without --all, those of `solution` only.
known=$(grep -v '^#' Mutants.txt | sed 's/ — .*//' |
  { [ "$right_answers" != solution.swift ] && cat || grep '^[a-z0-9-]*, solution: '; } |
  while IFS= read -r line; do checked_names | grep -qxF "${line%%,*}" && echo "$line"; done | sort || true)
if ! diff -u --label "Mutants.txt" <(printf '%s' "${known:+$known$'\n'}") --label "passes" <(printf %s "$survivors" | sort); then
  echo "mutants: a mutant with another behaviour passes, or one in Mutants.txt doesn't"
  exit 1
fi
echo "mutants: $made made, ${#modules[@]} compile, and all but $(printf %s "$survivors" | wc -l) fail"
