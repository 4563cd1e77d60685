# An exercise that stays on the terminal, for exercise.sh: it runs again when its file is saved, and
# obeys keys. It polls the files, because that needs nothing but a shell.
#
# A subshell builds and runs, the worker. So a key or a change is seen at once, and ends what runs.

watched=${EXERCISES_WATCHED:-.build}/watched
worker=
# The terminal as it was.
terminal=
# What wants the screen to be drawn again: the terminal was resized, or the program was continued.
redraw=

# What changes when a file is saved, replaced or deleted. Not the content, because a learner who saves
# wants an answer. Editors keep their hidden files out of it.
stamp() { stat -c '%n %i %y %z %s' "Exercises/$1"/*.swift 2>&1 || true; } # name

# The keys come one by one, and aren't shown. Ctrl-C and Ctrl-Z work as everywhere.
take_terminal() { stty -echo -icanon; }

stop_worker() {
  [ -n "$worker" ] || return 0
  kill -TERM "$worker" 2>/dev/null || true
  wait "$worker" 2>/dev/null || true
  worker=
}

leave() {
  trap '' HUP INT TERM
  stop_worker
  # If the terminal is closed, there's nothing to restore.
  stty "$terminal" 2>/dev/null || true
  { echo; } 2>/dev/null || true
}

start_worker() { # name
  stop_worker
  (
    end_with_answer
    try "$1"
  ) >"$watched" 2>&1 &
  worker=$!
}

# The last line, which is replaced by the next one. It must not be longer than the terminal's.
status_line() { # text
  local columns
  columns=$(stty size 2>/dev/null | cut -d ' ' -f 2) || true
  [ "${columns:-0}" -gt 1 ] || columns=80
  printf '\r\e[K%s' "${1:0:columns-1}"
}

# What the keys do now.
keys() { # name, the last hint shown, its hints
  local next
  if ! is_solved "$1"; then
    echo "Save, and it runs again. h: hint $(($2 % $3 + 1)) of $3 · r: run again · q: quit"
  else
    next=$(next_unsolved "$1")
    echo "Solved.${next:+ n: go on to \"$(title "$next")\" ·} r: run again · q: quit"
  fi
}

clear_screen() { printf '\e[H\e[2J'; }

# Shows the answer, and the hint if one was asked for.
draw() { # name, hint, hints
  clear_screen
  cat "$watched"
  if is_solved "$1"; then
    [ -n "$(next_unsolved "$1")" ] || printf '%s\n' "$all_solved"
  else
    [ -z "$(learners_file "$1")" ] || edit_line "$1"
    [ "$2" -eq 0 ] || { echo; hint_text "$1" "$2"; }
  fi
  echo
  status_line "$(keys "$@")"
}

watch() { # name
  local name=$1 shown=0 hints seen now key status next
  hints=$(hints_count "$name")
  terminal=$(stty -g)
  trap 'leave' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'take_terminal; redraw=yes' CONT
  trap 'redraw=yes' WINCH
  take_terminal
  clear_screen
  head_lines "$name"
  status_line "$(first_build | grep . || echo "Building …")"
  seen=$(stamp "$name")
  start_worker "$name"
  while :; do
    if [ -n "$worker" ] && ! kill -0 "$worker" 2>/dev/null; then
      wait "$worker" || true
      worker=
      # From now on, only the exercise changes.
      planned=yes
      redraw=yes
    fi
    if [ -n "$redraw" ] && [ -z "$worker" ]; then
      redraw=
      draw "$name" "$shown" "$hints"
    fi
    status=0 key=
    IFS= read -rn 1 -t "$([ -n "$worker" ] && echo 0.1 || echo 0.3)" key || status=$?
    # More than 128 means that no key came. Otherwise the terminal is gone.
    [ "$status" -eq 0 ] || [ "$status" -gt 128 ] || exit 0
    now=$(stamp "$name")
    if [ "$now" != "$seen" ]; then
      seen=$now
      key=r
      shown=0
    fi
    case $key in
      q | Q | $'\x04') exit 0 ;;
      r | R)
        start_worker "$name"
        status_line "Building …"
        ;;
      h | H)
        if [ -z "$worker" ] && ! is_solved "$name"; then
          shown=$((shown % hints + 1))
          redraw=yes
        fi
        ;;
      n | N)
        [ -z "$worker" ] || continue
        next=$(next_unsolved "$name")
        if ! is_solved "$name"; then
          status_line "Not solved yet. To leave it out: q, then make exercise NAME=${next:-$name}"
        elif [ -n "$next" ]; then
          name=$next shown=0
          hints=$(hints_count "$name")
          clear_screen
          head_lines "$name"
          status_line "Building …"
          seen=$(stamp "$name")
          start_worker "$name"
        fi
        ;;
      # An arrow or a function key is a sequence of characters, which ends with a letter or a tilde.
      $'\e')
        if IFS= read -rn 1 -t 0.01 key && [[ $key == [[O] ]]; then
          while IFS= read -rn 1 -t 0.01 key && [[ $key == [0-9\;] ]]; do :; done
        fi
        ;;
    esac
  done
}
