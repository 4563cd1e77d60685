#!/usr/bin/env bash
# Checks all exercises, for the people who write them: each one, as it stands, and each of its wrong
# answers fails with the message in Expected. Its solution passes, and so do others whose names begin
# with `solution`. Its page has three hints. And answers that do something else than answering, those
# in Misuse, end with the sentences next to them. Each exercise has at least three wrong and three right
# answers.
#
# Usage: Scenarios/exercises/check.sh [--record]
#   --record  writes the messages instead of comparing them
set -euo pipefail
cd "$(dirname "$0")"

source ./texts.sh
source ./run.sh
source ./answers.sh

record=
case "${1-}" in
  "") ;;
  --record) record=yes ;;
  *)
    echo "usage: Scenarios/exercises/check.sh [--record]" >&2
    exit 64
    ;;
esac
failures=0
messages=0
fail() {
  echo "✘ $1"
  failures=$((failures + 1))
}

# An exercise whose page explains a compiler message doesn't compile as it stands.
for name in $(checked_names); do
  # Its message is checked further down.
  explains_message "$name" || add "$name" start "$(learners_file "$name")"
  for file in "Answers/$name"/*.swift; do add "$name" "$(basename "$file" .swift)" "$file"; done
done
answers_count=${#modules[@]}
for name in $(checked_names); do
  right=$(find "Answers/$name" -name 'solution*.swift' | wc -l)
  wrong=$(find "Answers/$name" -name '*.swift' ! -name 'solution*' | wc -l)
  [ "$right" -ge 3 ] && [ "$wrong" -ge 3 ] ||
    fail "$name: Answers has $right right and $wrong wrong ones instead of at least three of each"
done
for file in Misuse/*.swift; do add three-values "$(basename "$file" .swift)" "$file"; done
build_answers

# Compares a message, or writes it.
compare() { # exercise, name of the message, message
  local expected=Expected/$1/$2.txt
  [ "$1" != Misuse ] || expected=Misuse/$2.txt
  messages=$((messages + 1))
  if [ -n "$record" ]; then
    mkdir -p "$(dirname "$expected")"
    printf '%s\n' "$3" >"$expected"
  elif ! diff -u "$expected" <(printf '%s\n' "$3"); then
    fail "$1: $2 prints something else"
  fi
}

# Compares what a program or the compiler says to an answer, and whether it took it.
judge() { # exercise, answer, status, message
  local wanted=1
  [[ $2 != solution* ]] || wanted=0
  [ "$3" -eq "$wanted" ] || fail "$1: $2 ends with status $3 instead of $wanted"
  compare "$1" "$2" "$4"
}

for name in $(checked_names); do [ -z "$record" ] || rm -rf "Expected/$name"; done
# The machine may be busy.
seconds=60
for module in "${modules[@]:0:answers_count}"; do
  exercise=$(exercise_of "$module")
  run_answer .build/debug/all-answers "$module"
  case $result in
    right) status=0 ;;
    wrong) status=1 ;;
    *)
      status=2
      tell_result
      ;;
  esac
  judge "$exercise" "${module#"$exercise"-}" "$status" "$screen"
done

# The pages of lessons that a text links.
lessons_in() { grep -oE 'scenarios/[a-z0-9-]+\.md' | sort -u; }

number=0
for name in $(all_names); do
  number=$((number + 1))
  checked_names | grep -qxF "$name" || continue
  page=$pages/$name.md
  # As it stands, because a solution may be a part of what's wanted.
  answer=$(explains_message "$name" && echo solution || echo start)
  compare "$name" wanted "$(.build/debug/all-answers --wanted "$name-$answer" || true)"
  if explains_message "$name"; then
    status=0
    swift build --quiet --disable-build-manifest-caching --product "$name" \
      >.build/exercise.log 2>&1 || status=1
    judge "$name" start "$status" "$(compiler_message "$name" <.build/exercise.log)"
  fi
  for hint in 1 2 3; do
    hint "$name" "$hint" >/dev/null || fail "$name: its page has no hint $hint"
  done
  for line in "# Exercise $number: " "make exercise NAME=$name" "**In your app:** "; do
    grep -qF -- "$line" "$page" || fail "$name: its page has no line with '$line'"
  done
  # The lessons that it builds on lead to it.
  for lesson in $(sed -n '/^About /,/^$/p' "$page" | lessons_in); do
    grep -qF "(../exercises/$name.md)" "../../docs/$lesson" || fail "$name: docs/$lesson doesn't link it"
  done
  lines=$(grep -c . "$(learners_file "$name")")
  [ "$lines" -le 32 ] || fail "$name: the learner's file has $lines lines"
done
# An exercise stands below those of the lessons before its own, and the list names the lessons that its
# page does.
lessons=$(for name in $(all_names); do lesson "$name"; done | uniq)
diff -u <(sed -n '/^let scenarios = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' ../../Package.swift |
  grep -xF "$lessons") <(echo "$lessons") || fail "the exercises have another order than their lessons"
for name in $(all_names); do
  cmp -s <(sed -n '/^About /,/^$/p' "$pages/$name.md" | lessons_in) \
    <(grep -F "($name.md)" "$pages/README.md" | grep '^|' | lessons_in) ||
    fail "$name: $pages/README.md names other lessons than its page"
done
diff -u <(all_names) <(sed -nE 's/^\| [0-9]+ \| \[[^]]*\]\(([a-z0-9-]*)\.md\).*/\1/p' "$pages/README.md") ||
  fail "$pages/README.md has other exercises, or another order"
# What's left of an exercise that was renamed or removed.
for path in Exercises/* Answers/* Expected/*; do
  all_names | grep -qxF "$(basename "$path")" || fail "$path belongs to no exercise"
done
for path in Expected/*/*.txt; do
  file=Answers/${path#Expected/}
  case $(basename "$path") in
    start.txt | wanted.txt | stage.txt) ;;
    *) [ -e "${file%.txt}.swift" ] || fail "$path belongs to no answer" ;;
  esac
done

# On the stage: an input of values, one of requests, and one of things that an app does. A page gets more;
# this is what the exercise decides.
for name in three-letters retry-the-503 the-latest-reading; do
  checked_names | grep -qxF "$name" || continue
  swift build --quiet --disable-build-manifest-caching --product "$name"
  compare "$name" stage "$(.build/debug/"$name" --stage <<<'{"id":1,"part":1}' |
    grep -oE '"(summary|nanoseconds|sentence|place|address|time)":("[^"]*"|[0-9]+)')"
done
message=$(SWIFT_BACKTRACE=enable=no .build/debug/all-answers --stage \
  three-values-endless-and-ignores-signals 2>&1 </dev/null || true)
[[ $message == *"It didn't stop within 5 seconds. Is there a loop in it that never ends?"* ]] ||
  fail "an endless answer on the stage says: $message"
# The server takes each line of the standard output for an answer.
message=$(.build/debug/all-answers --stage three-values-prints 2>/dev/null </dev/null || true)
[ -z "$message" ] || fail "an answer that prints says between two answers: $message"

# The processes that belong to the answers of a shell. Some can't be read, or end meanwhile.
processes_of() { grep -lsz "^EXERCISE_RUN=$1\$" /proc/[0-9]*/environ || true; } # process of the shell

# Answers that misbehave.
for file in Misuse/*.swift; do
  answer=$(basename "$file" .swift)
  case $answer in endless-*) seconds=2 ;; *) seconds=60 ;; esac
  run_answer .build/debug/all-answers "three-values-$answer"
  # Such an answer's session is over, and its output is short.
  seconds=10
  solved=$([ "$result" = right ] && echo "solved" || echo "not solved")
  compare Misuse "$answer" "$solved"$'\n\n'"$(tell_result)"
  [ "$(du -sk "$run" | cut -f 1)" -le 2048 ] || fail "$answer leaves much in $run"
  left=$(processes_of $$)
  [ -z "$left" ] || fail "$answer leaves a process behind: $left"
done

# An interrupted run ends the answer, too.
for signal in TERM INT HUP; do
  env --default-signal=INT bash -c 'source ./run.sh && run_answer "$@"' run .build/debug/all-answers \
    three-values-endless-and-ignores-signals &
  shell=$!
  limit=$((SECONDS + 60))
  until [ -n "$(processes_of "$shell")" ] || [ "$SECONDS" -ge "$limit" ]; do sleep 0.1; done
  [ "$SECONDS" -lt "$limit" ] || fail "the answer that gets $signal doesn't start"
  kill -s "$signal" "$shell"
  wait "$shell" || true
  left=$(processes_of "$shell")
  [ -z "$left" ] || fail "$signal leaves the answer running: $left"
done

if [ "$failures" -gt 0 ]; then
  echo "exercises: $failures failed"
  exit 1
fi
echo "exercises: $(checked_names | wc -l) exercises, $messages messages as expected"
