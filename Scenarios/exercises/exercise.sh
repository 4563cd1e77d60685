#!/usr/bin/env bash
# Runs an exercise, gives a hint, puts an exercise on the stage, or lists all exercises.
#
# Usage: Scenarios/exercises/exercise.sh run [NAME [HINT]] | play [NAME [OPTION...]] | list
#
# NAME is the first unsolved exercise by default. On a terminal, the exercise stays and runs again
# whenever its file is saved. In a pipe or in CI, it runs once. An exercise has its mark when its
# answer passed, and its sources are still the same. Texts come from its page in docs/exercises.
set -euo pipefail
cd "$(dirname "$0")"
solved=${EXERCISES_SOLVED:-.build/solved}
binaries=.build/debug
all_solved="All solved. Now test your own pipelines: docs/testing.md shows how."

source ./texts.sh
source ./run.sh
source ./watch.sh

# The sources of an exercise, as text to compare.
sources() { cksum "Exercises/$1"/*.swift; } # name

is_solved() { [ -e "$solved/$1" ] && [ "$(sources "$1")" = "$(<"$solved/$1")" ]; } # name

# The next unsolved exercise, also from the beginning of the list again. Nothing if all are solved.
next_unsolved() { # [name to begin after]
  local name
  for name in $(all_names | awk -v after="${1-}" '
    on { print; next }
    { before[NR] = $0 }
    $0 == after { on = 1 }
    END { for (line = 1; line <= NR && line in before; line++) print before[line] }'); do
    is_solved "$name" || { echo "$name"; return; }
  done
}

next_line() { # name
  local next
  next=$(next_unsolved "$1")
  if [ -n "$next" ]; then echo "Next: make exercise NAME=$next"; else echo "$all_solved"; fi
}

list() {
  local name
  for name in $(all_names); do
    printf '%s %-22s  %-26s  %s\n' "$(is_solved "$name" && echo ✓ || echo ·)" "$name" \
      "$(title "$name")" "$(lesson "$name")"
  done
  echo
  next_line ""
}

# SwiftPM misses the second of two changes in one second, and would show the old answer as the new
# one. So the objects are removed unless they come from the same sources.
build() { # name, its sources
  local built=$binaries/${1//-/_}.sources options=()
  # The stored plan is fast, but doesn't notice that the library has got a file, or lost one.
  [ -n "${planned-}" ] || options=(--disable-build-manifest-caching)
  if [ "$2" != "$(cat "$built" 2>/dev/null)" ]; then
    rm -f "$built" "$binaries/${1//-/_}.build"/*.o "$binaries/${1//-/_}.build"/*.priors
  fi
  in_session swift build --quiet "${options[@]}" --product "$1" \
    </dev/null >.build/exercise.log 2>&1 || return 1
  [ "$2" != "$(sources "$1")" ] || printf '%s\n' "$2" >"$built"
}

first_build() {
  [ -e "$binaries/Modules/ExerciseKit.swiftmodule" ] || echo "The first build takes about a minute."
}

# Shows the task, and what the answer does.
try() { # name
  local name=$1 sources
  head_lines "$name"
  if [ -z "$(learners_file "$name")" ]; then
    sentences "The file for your answer is gone. To begin again: git checkout \
Scenarios/exercises/Exercises/$name"
    return
  fi
  sources=$(sources "$name")
  if build "$name" "$sources"; then
    run_answer "$binaries/$name"
    tell_result
  else
    result=
    compiler_message "$name" <.build/exercise.log
  fi
  mkdir -p "$solved"
  if [ "$result" = right ]; then
    printf '%s\n' "$sources" >"$solved/$name"
  else
    rm -f "$solved/$name"
  fi
}

run() { # name
  first_build >&2
  try "$1"
  if is_solved "$1"; then next_line "$1"; else tail_lines "$1"; fi
}

mkdir -p .build
[ -t 1 ] && [ -z "${NO_COLOR-}" ] && colours=yes
case "${1-}" in
  list) list ;;
  run | play)
    name=${2:-$(next_unsolved)}
    name=${name:-$(all_names | tail -n 1)}
    if ! all_names | grep -qxF -- "$name"; then
      echo "exercise: there's no exercise '${name:0:80}'. make exercises lists them" | escaped >&2
      exit 2
    fi
    if [ "$1" = play ]; then
      head_lines "$name"
      edit_line "$name"
      exec ../play/serve.sh "$name" --package "$PWD" --watch "Exercises/$name" --watch Kit \
        --watch ../../Sources "${@:3}"
    elif [ -n "${3-}" ]; then
      hint "$name" "$3"
    elif [ -t 0 ] && [ -t 1 ] && [ -z "${CI-}" ] && [ "${TERM:-dumb}" != dumb ]; then
      watch "$name"
    else
      run "$name"
    fi
    ;;
  *)
    echo "usage: Scenarios/exercises/exercise.sh run [NAME [HINT]] | play [NAME [OPTION...]] | list" >&2
    exit 64
    ;;
esac
