# The texts of exercises, for the scripts next to it. They come from the pages in docs/exercises.
pages=../../docs/exercises

# The names in Package.swift's array.
all_names() { sed -n '/^let exercises = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift; }

title() { # name
  sed -n '1s/^# Exercise [0-9]*: //p' "$pages/$1.md"
}

# The lesson that an exercise belongs to: of those it builds on, the last one of the course.
lesson() { # name
  awk -v row="($1.md)" '
    FNR == NR && /^let scenarios = \[/ { on = 1 }
    FNR == NR { if (on && match($0, /"[^"]+"/)) place[substr($0, RSTART + 1, RLENGTH - 2)] = FNR
      if (/^]/) on = 0
      next }
    /^\|/ && index($0, row) { while (match($0, /scenarios\/[^)]+\.md/)) {
        name = substr($0, RSTART + 10, RLENGTH - 13)
        $0 = substr($0, RSTART + RLENGTH)
        if (last == "" || place[name] > place[last]) last = name }
      print last }' ../../Package.swift "$pages/README.md"
}

# Markdown as plain text, with at most 80 characters in a line.
plain() { sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/\*\*//g' | fold -s -w 80 | sed 's/ *$//'; }

# The title, and the task: the page's first paragraph.
head_lines() { # name
  sed -n '1s/^# //p' "$pages/$1.md"
  awk 'NR > 2 && !NF { done = 1 }
    NR > 2 && !done { printf "%s%s", sep, $0; sep = " " }
    END { print "" }' "$pages/$1.md" | plain
  echo
}

tail_lines() { # name
  edit_line "$1"
  echo "Stuck?  make exercise NAME=$1 HINT=1"
}

edit_line() { # name
  echo
  echo "Edit:   Scenarios/exercises/$(learners_file "$1")"
}

learners_file() { # name
  find "Exercises/$1" -name '*.swift' ! -name Check.swift ! -name main.swift
}

hints_count() { grep -c '^<details><summary>Hint ' "$pages/$1.md" || true; } # name

# Prints one of the page's hints, which are folded sections. It needs no build, because people want
# hints when nothing compiles.
hint() { # name, number
  hint_text "$@" || return
  local count
  count=$(hints_count "$1")
  if [ "$2" -lt "$count" ]; then echo "Still stuck? make exercise NAME=$1 HINT=$(($2 + 1))"; fi
}

hint_text() { # name, number
  local count text
  count=$(hints_count "$1")
  text=$(awk -v start="<details><summary>Hint $2:" \
    'index($0, start) == 1 { on = 1; next } /^<\/details>/ { on = 0 } on' "$pages/$1.md")
  if [ -z "$text" ]; then
    echo "exercise: there's no hint '${2:0:80}'. Use HINT=1 to HINT=$count" | escaped >&2
    return 2
  fi
  echo "$(title "$1"), hint $2 of $count"
  # A code block stays as it is, and a link shows where it leads.
  printf '%s\n' "$text" | awk '
    /^```/ { code = !code; next }
    code || !NF { if (line) print line; line = ""; print code && NF ? "    " $0 : ""; next }
    { line = line (line ? " " : "") $0 }
    END { if (line) print line }' |
    sed -E 's/\[([^]]*)\]\(\.\.\/([^)]*)\)/\1 (docs\/\2)/g' | plain
}

# The compiler's first error, without the folders of this machine and what SwiftPM itself says. If
# there is none, the end of the log.
compiler_message() { # name, stdin: the log
  local folder message
  folder=$(pwd)
  # awk reads to the end, because a closed pipe would end the script.
  message=$(sed -e "s|$folder/||g" -e 's/^Another instance of SwiftPM.*finished execution\.\.\.//' | escaped | awk '
    { last[NR] = $0 }
    /^[^ ].*: (error|warning|note): / { if (on) done = 1; else if (/: error: /) on = 1 }
    on && !done && NF && !/^ *[0-9]* *\| *$/ && count < 20 { print; count++ }
    END { if (!on) for (line = NR > 5 ? NR - 4 : 1; line <= NR; line++) print last[line] }')
  echo "It doesn't compile yet:"
  echo
  echo "$message"
  if [[ $message == *Check.swift:* ]]; then
    echo
    echo "Check.swift uses your code, so keep the types as they are."
  fi
  about_message "$1" "$message"
}

# Whether an exercise doesn't compile on purpose, so that its page explains a message.
explains_message() { grep -q '^<!-- message ' "$pages/$1.md"; } # name

# What the compiler means, in the words of the page, if it's the message that the page explains:
# `<!-- message PART OF IT -->`.
about_message() { # name, message
  local part
  explains_message "$1" || return 0
  part=$(sed -n 's/^<!-- message \(.*\) -->/\1/p' "$pages/$1.md")
  [[ $2 == *"$part"* ]] || return 0
  echo
  awk '/^<!-- message / { on = 1; next }
    !NF { on = 0 }
    on { printf "%s%s", sep, $0; sep = " " }
    END { if (sep) print "" }' "$pages/$1.md" | plain
}
