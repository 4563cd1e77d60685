#!/usr/bin/env bash
# Runs an exercise, gives a hint, or lists all exercises.
#
# Usage: Scenarios/exercises/exercise.sh run [NAME [HINT]] | list
#
# NAME is the first unsolved exercise by default. An exercise has its mark when its answer passed, and
# its folder didn't change since. Texts come from the exercise's page in docs/exercises.
set -euo pipefail
cd "$(dirname "$0")"
pages=../../docs/exercises
solved=.build/solved
binaries=.build/debug
all_solved="All solved. Now test your own pipelines: docs/testing.md shows how."

source ./texts.sh
source ./run.sh

is_solved() { # name
  [ -e "$solved/$1" ] && [ -z "$(find "Exercises/$1" -newer "$solved/$1")" ]
}

first_unsolved() {
  local name
  for name in $(all_names); do is_solved "$name" || { echo "$name"; return; }; done
}

list() {
  local name next
  for name in $(all_names); do
    printf '%s %-24s %s\n' "$(is_solved "$name" && echo ✓ || echo ·)" "$name" "$(title "$name")"
  done
  echo
  next=$(first_unsolved)
  if [ -n "$next" ]; then echo "Next: make exercise NAME=$next"; else echo "$all_solved"; fi
}

build() { # name
  swift build --quiet --disable-build-manifest-caching --product "$1" >.build/exercise.log 2>&1
}

# SwiftPM misses the second of two changes in one second, and would show the old answer as the new
# one. Then a source is newer than the program, so the objects are removed and built again.
build_fresh() { # name
  build "$1" || return 1
  [ -z "$(find "Exercises/$1" -newer "$binaries/$1")" ] && return
  rm -f "$binaries/${1//-/_}.build"/*.o "$binaries/${1//-/_}.build"/*.priors
  build "$1"
}

run() { # name
  local name=$1
  mkdir -p "$solved"
  [ -e "$binaries/Modules/ExerciseKit.swiftmodule" ] || echo "The first build takes about a minute." >&2
  # What's newer than this was changed during the build.
  touch "$solved/.started"
  head_lines "$name"
  if ! build_fresh "$name"; then
    compiler_message "$name" <.build/exercise.log
    tail_lines "$name"
    return
  fi
  run_answer "$binaries/$name"
  tell_result
  if [ "$result" = right ]; then
    touch -r "$solved/.started" "$solved/$name"
    local next
    next=$(first_unsolved)
    if [ -n "$next" ]; then echo "Next: make exercise NAME=$next"; else echo "$all_solved"; fi
  else
    tail_lines "$name"
  fi
}

mkdir -p .build
case "${1-}" in
  list) list ;;
  run)
    name=${2:-$(first_unsolved)}
    name=${name:-$(all_names | tail -n 1)}
    if ! all_names | grep -qxF -- "$name"; then
      echo "exercise: there's no exercise '${name:0:80}'. make exercises lists them" | escaped >&2
      exit 2
    fi
    if [ -n "${3-}" ]; then hint "$name" "$3"; else run "$name"; fi
    ;;
  *)
    echo "usage: Scenarios/exercises/exercise.sh run [NAME [HINT]] | list" >&2
    exit 64
    ;;
esac
