# The texts of exercises, for exercise.sh and check.sh. They come from the pages in docs/exercises.

# The names in Package.swift's array.
all_names() { sed -n '/^let exercises = \[/,/^]/s/^ *"\([a-z0-9-]*\)".*/\1/p' Package.swift; }

title() { # name
  sed -n '1s/^# Exercise [0-9]*: //p' "$pages/$1.md"
}

# Markdown as plain text, with at most 80 characters in a line.
plain() { sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/\*\*//g' | fold -s -w 80 | sed 's/ *$//'; }

# The title, and the task: the page's first paragraph.
head_lines() { # name
  sed -n '1s/^# //p' "$pages/$1.md"
  awk 'NR > 2 && !NF { exit } NR > 2 { printf "%s%s", sep, $0; sep = " " } END { print "" }' \
    "$pages/$1.md" | plain
  echo
}

tail_lines() { # name
  echo
  echo "Edit:   Scenarios/exercises/$(learners_file "$1")"
  echo "Stuck?  make exercise NAME=$1 HINT=1"
}

learners_file() { # name
  find "Exercises/$1" -name '*.swift' ! -name Check.swift ! -name main.swift
}

# Prints one of the page's hints, which are folded sections. It needs no build, because people want
# hints when nothing compiles.
hint() { # name, number
  local count text
  count=$(grep -c '^<details><summary>Hint ' "$pages/$1.md")
  text=$(awk -v start="<details><summary>Hint $2:" \
    'index($0, start) == 1 { on = 1; next } on && /^<\/details>/ { exit } on' "$pages/$1.md")
  if [ -z "$text" ]; then
    echo "exercise: there's no hint '$2'. Use HINT=1 to HINT=$count" >&2
    exit 2
  fi
  echo "$(title "$1"), hint $2 of $count"
  # A code block stays as it is.
  printf '%s\n' "$text" | awk '
    /^```/ { code = !code; next }
    code || !NF { if (line) print line; line = ""; print code && NF ? "    " $0 : ""; next }
    { line = line (line ? " " : "") $0 }
    END { if (line) print line }' | plain
  if [ "$2" -lt "$count" ]; then echo "Still stuck? make exercise NAME=$1 HINT=$(($2 + 1))"; fi
}

# The compiler's first error, without the folders of this machine and SwiftPM's own lines.
compiler_message() { # name, stdin: the log
  local folder
  folder=$(pwd)
  echo "It doesn't compile yet:"
  echo
  sed "s|$folder/||g" | awk '
    /^[^ ].*: (error|warning|note): / { if (on) exit; if (/: error: /) on = 1 }
    /^error: / { on = 1 }
    on && NF' | grep -v '^ *[0-9]* | *$' | head -n 20
  echo
  about_message "$1"
}

# What the compiler means, in the words of the page.
about_message() { # name
  awk '/^<!-- message -->/ { on = 1; next }
    on && !NF { exit }
    on { printf "%s%s", sep, $0; sep = " " }
    END { if (sep) print "" }' "$pages/$1.md" | plain
}
