# Runs an answer, and tells how it ended. For exercise.sh, check.sh and mutants.sh.
#
# An answer is anyone's code, so it may print without an end, ignore signals, leave processes behind
# or end the process that it runs in. So it gets a session of its own, whose processes are all ended
# with it, and limits for its output and its files. And an answer is right only if its check says so:
# the check proves that it's the check with a secret, which it reads before the answer's code runs.

# Where an answer's output goes, and how long it may take. In virtual time, a run takes milliseconds,
# so after ten seconds it's a loop without an end.
run=.build/run
seconds=10
# The most of its output that's kept in bytes, and shown in lines and bytes.
kept=65536
shown_lines=20
shown_bytes=4000

# Characters that a terminal would obey, as text. Line breaks and tabs stay.
escapes=$(
  for code in {0..8} {11..31} 127; do
    printf 's/\\x%02x/\\\\u{%x}/g\n' "$code" "$code"
  done
  # In UTF-8: control characters with two bytes, and characters that turn the direction of a text or
  # can't be seen, except the one that joins emoji.
  for code in {128..159}; do printf 's/\\xc2\\x%02x/\\\\u{%x}/g\n' "$code" "$code"; done
  for code in {8203..8204} {8206..8207} {8232..8238} {8288..8303}; do
    printf 's/\\xe2\\x%02x\\x%02x/\\\\u{%x}/g\n' "$((128 + code / 64 % 64))" \
      "$((128 + code % 64))" "$code"
  done
  printf 's/\\xd8\\x9c/\\\\u{61c}/g\ns/\\xef\\xbb\\xbf/\\\\u{feff}/g\n'
)
escaped() { LC_ALL=C sed -e "$escapes"; }

# Keeps the beginning and the end of an output, of any length. It must end soon after the answer,
# although a process that has left the session may still hold the other end.
keep() { # name
  timeout "$((seconds + 5))" bash -c \
    'head -c "$1" >"$2.head"; tail -c "$1" >"$2.tail"' keep "$kept" "$run/$1"
}

# The processes of a session.
session_processes() { # session
  local file line fields
  for file in /proc/[0-9]*/stat; do
    # The name of a process may have spaces and brackets. It may also have ended by now.
    { read -r line <"$file"; } 2>/dev/null || continue
    read -ra fields <<<"${line##*) }"
    # The state, the parent, the group and the session.
    if [ "${fields[3]}" = "$1" ] && [ "${fields[0]}" != Z ]; then basename "${file%/stat}"; fi
  done
}

session=
# Ends the answer or the build that runs, with all processes of its session.
end_session() {
  [ -n "$session" ] || return 0
  local processes
  # If it has just begun, it has no session yet.
  if jobs -p | grep -qx "$session"; then kill -KILL "$session" 2>/dev/null || true; fi
  while processes=$(session_processes "$session") && [ -n "$processes" ]; do
    kill -KILL $processes 2>/dev/null || true
  done
  session=
}

# Ends the answer that runs.
end_answer() {
  end_session
  # If it has never opened its output, the readers still wait for it.
  [ ! -p "$run/output" ] || : <>"$run/output" <>"$run/errors"
}

# A shell that's stopped doesn't leave an answer behind. A subshell needs traps of its own.
end_with_answer() {
  trap 'end_answer' EXIT
  trap 'end_answer; exit 129' HUP
  trap 'end_answer; exit 130' INT
  trap 'end_answer; exit 143' TERM
}
end_with_answer

# Runs a command in a session of its own, so that all of it can be ended at any time.
in_session() { # command
  local status=0
  env --default-signal setsid "$@" &
  session=$!
  wait "$session" || status=$?
  session=
  return "$status"
}

# Runs an answer. Afterwards, `result` is right, wrong, late, or the exit status if the check had no
# say.
run_answer() { # program, arguments
  local program=$1 status=0 secret readers start=$SECONDS
  shift
  rm -rf "$run"
  mkdir -p "$run"
  mkfifo "$run/output" "$run/errors"
  keep output <"$run/output" &
  readers=$!
  keep errors <"$run/errors" &
  readers+=" $!"
  secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  # No answer needs large files, and a crash leaves no image of its memory.
  (
    ulimit -c 0 || true
    ulimit -f 1024 || true
    [ -n "${colours-}" ] && set -- --colours "$@"
    exec env --default-signal SWIFT_BACKTRACE=enable=no EXERCISE_RUN=$$ setsid timeout --foreground --kill-after=1 "$seconds" \
      "$program" --verdict "$@" \
      < <(printf %s "$secret") >"$run/output" 2>"$run/errors" 3>"$run/verdict"
  ) &
  session=$!
  # The shell would tell of a crash with a line of this file.
  { wait "$session" || status=$?; } 2>/dev/null
  end_answer
  wait $readers || true
  result=$(sed -n "s/^$secret //p" "$run/verdict" | tail -n 1)
  case $result in
    right | wrong) screen=$(sed "0,/^$secret\$/d; /^$secret /,\$d" "$run/verdict") ;;
    *)
      # The last signal is KILL, which an answer can't ignore. An answer can end with these statuses,
      # too, but then it's sooner.
      result=$status
      case $status in
        124 | 137) [ $((SECONDS - start)) -lt "$seconds" ] || result=late ;;
      esac
      screen=
      ;;
  esac
}

# Keeps what the answer's code printed with one input. A line with the character 1E stands between two
# inputs: the first one is the page's, and the last one is that of `another`, an input that the page
# doesn't show.
separate_output() {
  local file
  another=
  case $result in
    right | wrong) [[ $screen != "On another input:"* ]] || another=yes ;;
    *) LC_ALL=C grep -aqsx $'\036' "$run/output.head" "$run/output.tail" && another=yes ;;
  esac
  for file in "$run/output.head" "$run/output.tail"; do
    [ -e "$file" ] || continue
    LC_ALL=C awk -v another="$another" 'BEGIN { RS = "\036\n"; ORS = "" }
      !another { if (NR == 1) print; next }
      { last = $0 } END { if (another) print last }' "$file" >"$file.part"
    mv "$file.part" "$file"
  done
}

# Shows what the answer's own code printed: its beginning, and whether there was more.
tell_output() {
  separate_output
  [ -s "$run/output.head" ] || return 0
  local part
  # The last character may be cut in its middle.
  part=$(head -c "$shown_bytes" "$run/output.head" | tr -d '\000' | head -n "$shown_lines" |
    LC_ALL=C sed '$ s/[\xc2-\xf4][\x80-\xbf]*$//') || true
  echo "Your code printed:"
  echo
  printf '%s\n' "$part" | escaped | sed 's/^/  /'
  [ ! -s "$run/output.tail" ] && [ "$(wc -c <"$run/output.head")" -le "$shown_bytes" ] &&
    [ "$(wc -l <"$run/output.head")" -le "$shown_lines" ] || echo "  … and more, which isn't shown"
  echo
}

# The message of a trap.
crash_message() {
  local message
  message=$(cat "$run/errors.head" "$run/errors.tail" | tr -d '\000' |
    grep -a -iE 'fatal error|precondition' | sed -n '1p' | cut -c 1-1000 | escaped) || true
  printf '%s\n' "${message:-A check of Swift failed without a message. An overflow does that, for example.}"
}

sentences() { fold -s -w 80 <<<"$1" | sed 's/ *$//'; }

# Says how the answer ended, with the screen of its check if there is one.
tell_result() {
  tell_output
  # The screen of a check says so itself.
  [ -z "$another" ] || [ -n "$screen" ] || printf 'On another input:\n\n'
  case $result in
    right | wrong) printf '%s\n' "$screen" ;;
    late)
      sentences "It didn't stop within $seconds seconds. Is there a loop in it that never ends?"
      ;;
    132 | 133 | 134)
      echo "It crashed:"
      echo
      crash_message
      ;;
    138 | 139)
      sentences "It crashed, because it used memory that it doesn't have. Most often, that's a \
function that calls itself without an end, until the stack is full."
      ;;
    153) sentences "It was stopped, because it wrote a file of more than 1 MB." ;;
    *)
      if [ "$result" -gt 128 ]; then
        sentences "It was ended by signal $((result - 128)) ($(kill -l "$result" 2>/dev/null || echo '?'))."
      else
        sentences "The program ended with status $result, before its check was done. Leave out \
calls such as \`exit\`."
      fi
      ;;
  esac
}
