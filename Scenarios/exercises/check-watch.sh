#!/usr/bin/env bash
# Checks the exercise that stays on a terminal, for the people who write it: with a terminal of
# `script`, it saves answers, presses keys, and compares whole screens. It changes an exercise, and
# changes it back at the end.
#
# Usage: Scenarios/exercises/check-watch.sh
set -euo pipefail
cd "$(dirname "$0")"
name=double-the-odd-ones
work=$(mktemp -d)
start=$work/start.swift
right=Answers/$name/solution.swift
patience=60

source ./texts.sh

command -v script >/dev/null ||
  { echo "exercises: check-watch.sh needs the command script, of util-linux" >&2; exit 1; }
file=$(learners_file "$name")
cp -p "$file" "$start"
terminal=
finish() {
  [ -z "$terminal" ] || kill -KILL "$terminal" 2>/dev/null || true
  cp -p "$start" "$file"
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failures=0
fail() {
  echo "✘ $1"
  failures=$((failures + 1))
}

# Begins a session on a terminal. What it leaves behind is found by a variable of its environment.
open_terminal() { # columns, command
  rm -rf "$work/keys" "$work/status" "$work/solved"
  mkfifo "$work/keys"
  exec 5<>"$work/keys"
  : >"$work/log"
  cat >"$work/session.sh" <<END
stty cols $1 rows 40
stty -g >'$work/before'
status=0
$2 || status=\$?
stty -g >'$work/after'
echo \$status >'$work/status'
END
  env -u CI NO_COLOR=1 TERM=xterm EXERCISES_SOLVED="$work/solved" EXERCISES_WATCHED="$work" \
    env --default-signal=INT,QUIT script -qec "bash '$work/session.sh'" /dev/null <&5 >"$work/log" 2>&1 5>&- &
  terminal=$!
}
press() { printf "$1" >&5; } # keys

# What's on the screen: the text since it was cleared, and the last one of the texts that replaced each
# other in a line.
screen() {
  local text
  text=$(tr -d '\000' <"$work/log")
  printf '%s\n' "${text##*$'\e[H\e[2J'}" | sed -e 's/\r*$//' -e 's/.*\r\x1b\[K//'
}

within() { # seconds, command
  local limit=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$limit" ] || return 1
    sleep 0.1
  done
}

shows() { [ "$(screen)" = "$1" ]; } # text
expect() { # what happens, text, [seconds]
  within "${3:-$patience}" shows "$2" || {
    fail "on a terminal, $1 shows something else"
    diff -u <(printf '%s\n' "$2") <(screen) || true
  }
}

answer_screen() { # exercise, message, the rest
  head_lines "$1"
  cat "Expected/$1/$2.txt"
  shift 2
  printf '%s\n' "$@"
}
save_line() { echo "Save, and it runs again. h: hint $1 of 3 · r: run again · q: quit"; } # hint
unsolved_screen() { # exercise, lines before the last one
  local exercise=$1
  shift
  answer_screen "$exercise" start "$(edit_line "$exercise")" "$@"
}
solved_screen() {
  answer_screen "$name" solution "" \
    "Solved. n: go on to \"$(title "$following")\" · r: run again · q: quit"
}

leftovers() { grep -lsz "^EXERCISES_WATCHED=$work\$" /proc/[0-9]*/environ || true; }
clean() { [ -z "$(leftovers)" ]; }
ended() { # what happens, exit status
  if ! within "$patience" test -s "$work/status"; then
    fail "on a terminal, $1 doesn't end it"
    kill -KILL "$terminal"
    return 0
  fi
  [ "$(<"$work/status")" -eq "$2" ] || fail "on a terminal, $1 ends with status $(<"$work/status")"
  cmp -s "$work/before" "$work/after" || fail "on a terminal, $1 leaves the terminal changed"
  within 5 clean || fail "on a terminal, $1 leaves a process behind: $(leftovers)"
  terminal=
}

following=$(all_names | grep -xFA 1 -- "$name" | tail -n 1)
run="./exercise.sh run $name"

open_terminal 80 "$run"
expect "the start" "$(unsolved_screen "$name" "" "$(save_line 1)")"
for hint in 1 2 3; do
  press h
  expect "hint $hint" \
    "$(unsolved_screen "$name" "" "$(hint_text "$name" "$hint")" "" "$(save_line $((hint % 3 + 1)))")"
done
press '\e[An'
expect "n, unsolved," "$(unsolved_screen "$name" "" "$(hint_text "$name" 3)" "" \
  "Not solved yet. To leave it out: q, then make exercise NAME=$following")"

# Two saves, as fast as they can be.
sed 's/isMultiple/isNotMultiple/' "$start" >"$file"
cp "$right" "$file"
expect "a right save" "$(solved_screen)"
# Another file gets the name, as some editors do it. It's of the same second, so SwiftPM alone would
# miss it.
cp "$start" "$file.new"
touch -d "@$(stat -c %Y "$file").$(($(stat -c %y "$file" | cut -c 21) < 5 ? 9 : 1))" "$file.new"
mv "$file.new" "$file"
expect "a wrong save" "$(unsolved_screen "$name" "" "$(save_line 1)")"
rm "$file"
expect "a deleted file" "$(head_lines "$name")

The file for your answer is gone. To begin again: git checkout
Scenarios/exercises/Exercises/$name

$(save_line 1)"
# Saved while it builds, with a second of distance to what the compiler reads.
cp "$start" "$file"
sleep 0.8
cp "$right" "$file"
expect "a save during a build" "$(solved_screen)"
# An answer that loops would run for ten seconds.
sed '/^ *numbers$/,$ s/^/\/\//; $ a\
  while true {}\
  return numbers\
}' "$start" >"$file"
loop=
answers() { grep -lsz '^EXERCISE_RUN=' "$@" </dev/null || true; } # files of environments
runs() { [ -p .build/run/output ] && loop=$(answers $(leftovers)) && [ -n "$loop" ]; }
is_over() { [ -z "$(answers $loop)" ]; }
within "$patience" runs || fail "on a terminal, the loop doesn't start"
cp "$right" "$file"
within 5 is_over || fail "on a terminal, a save during a loop leaves the loop running"
expect "a save during a loop" "$(solved_screen)"
press n
name=$following
expect "n, solved," "$(unsolved_screen "$name" "" "$(save_line 1)")"
press q
ended q 0
name=double-the-odd-ones

# Interrupted while it builds, and by a terminal that goes away.
cp "$start" "$file"
open_terminal 30 "$run"
within "$patience" shows "$(unsolved_screen "$name" "" "$(save_line 1 | cut -c 1-29)")" ||
  fail "on a narrow terminal, the last line isn't cut"
press r
sleep 0.5
press '\003'
ended "Ctrl-C" 130
open_terminal 80 "$run"
sleep 0.5
kill -KILL "$terminal"
wait "$terminal" 2>/dev/null || true
within 10 clean || fail "a closed terminal leaves a process behind: $(leftovers)"

# Once, where it can't stay.
for once in "CI=1 $run" "TERM=dumb $run" "$run | cat" "$run </dev/null"; do
  open_terminal 80 "$once"
  ended "'$once'" 0
  expect "'$once'" "$(head_lines "$name"; cat "Expected/$name/start.txt"; tail_lines "$name")" 1
done

if [ "$failures" -gt 0 ]; then
  echo "exercises: on a terminal, $failures failed"
  exit 1
fi
echo "exercises: on a terminal, all screens as expected"
