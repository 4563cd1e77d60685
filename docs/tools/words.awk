# The check of words.sh. Its first file is the style page, which it learns the words from.

# Learns a row such as `| whoever, whomever | name the person |`. A phrase that's quoted in the advice
# is fine, even if it contains one from the first column, as "there is no" does.
function learn(row,    cells, phrases, count, i, phrase) {
  split(row, cells, " *[|] *")
  count = split(cells[2], phrases, ", *")
  for (i = 1; i <= count; i++) {
    advice[phrases[i]] = cells[3]
    if (phrases[i] ~ /[A-Z]/) exact = exact "|" phrases[i]
    else any = any "|" phrases[i]
  }
  for (; match(cells[3], /"[^"]*"/); cells[3] = substr(cells[3], RSTART + RLENGTH)) {
    phrase = substr(cells[3], RSTART + 1, RLENGTH - 2)
    if (phrase ~ /^[a-z ]+$/ && !(phrase in advice)) any = any "|" phrase
  }
}

function report(message) {
  printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
  problems++
}

function endParagraph() {
  isInSpan = before = ""
}

# Checks a line of prose. A phrase or a code span may have begun in the line before.
function prose(text,    all) {
  if (isInSpan) text = "`" text
  gsub(/``[^`]+(`[^`]+)*``|`[^`]*`/, "~", text)
  isInSpan = sub(/`.*/, "~", text)
  gsub(/"[^"]*"|“[^”]*”|\]\([^)]*\)|<[^>]*>|https?:[^ )]*/, "~", text)
  all = before " " text " "
  find(tolower(all), "[^a-z_.$-](" substr(any, 2) ")[^a-z_(-]")
  find(all, "[^A-Za-z_.$-](" substr(exact, 2) ")[^A-Za-z_(-]")
  # No phrase is longer than four words.
  before = match(text, /([^ ]+ +)?([^ ]+ +)?[^ ]+ *$/) ? " " substr(text, RSTART) : ""
}

function find(text, pattern,    offset, phrase) {
  while (match(substr(text, offset + 1), pattern)) {
    phrase = substr(text, offset + RSTART + 1, RLENGTH - 2)
    offset += RSTART + RLENGTH - 2
    # A phrase in the end of the line before was found there.
    if (phrase in advice && offset > length(before)) report("\"" phrase "\": " advice[phrase])
  }
}

# Whether a line of Markdown belongs to a code block.
function isCode(text,    marks) {
  gsub(/^[ >]+/, "", text)
  marks = match(text, /^(```+|~~~+)/) ? substr(text, 1, RLENGTH) : ""
  if (fence == "") return (fence = marks) != ""
  if (index(marks, fence) == 1) fence = ""
  return 1
}

function markdown(text,    cells, count, i) {
  if (isCode(text) || text ~ /^ *(>|$)/) {
    isInTable = 0
    return endParagraph()
  }
  if (text ~ /^ *([-*#|]|[0-9]+\.)/) endParagraph()
  if (text !~ /^ *[|]/) {
    isInTable = 0
    return prose(text)
  }
  count = split(text, cells, " *[|] *")
  if (!isInTable) isExempt = cells[2] ~ /^(Not|Instead of)$/
  isInTable = 1
  for (i = 2; i < count && !isExempt; i++) {
    prose(cells[i])
    endParagraph()
  }
}

function swift(line,    code, start, text) {
  if (isInString = (isInString != gsub(/"""/, "&", line) % 2)) return prose(isShipped ? line : "")
  code = line
  gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
  start = index(code, "//")
  if (!start || start != match(code, /[^ ]/)) {
    endParagraph()
    fence = ""
  }
  if (start) {
    code = substr(code, start)
    text = line
    gsub(/[\200-\277]/, "", text)
    if (length(text) > 100 && code ~ /^\/+ [^|]+ /)
      report("this line has " length(text) " columns: break the comment at 100")
    sub(/^\/+ ?( *- (Parameter )?[A-Za-z]+:)?/, "", code)
    # An indented line is code.
    if (code !~ /^    /) markdown(code)
  }
  while (isShipped && match(line, /"([^"\\]|\\.)*"/) && substr(line, 1, RSTART) !~ /\/\//) {
    text = substr(line, RSTART + 1, RLENGTH - 2)
    line = substr(line, RSTART + RLENGTH)
    gsub(/\\\([^)]*\)|\\"[^"]*\\"/, "~", text)
    endParagraph()
    if (text ~ / /) prose(text)
  }
}

FNR == 1 {
  endParagraph()
  fence = ""
  isInTable = isInString = 0
  isShipped = FILENAME !~ /(^|\/)Tests\//
}
NR == FNR && /^<!-- \/?(words|terms) -->/ { isLearning = !/\// }
NR == FNR && isLearning && /^[|] [^-]/ && !/^[|] Not / { learn($0) }
NR == FNR { next }
FILENAME ~ /\.md$/ { markdown($0) }
FILENAME ~ /\.swift$/ { swift($0) }
FILENAME !~ /\.(md|swift)$/ {
  endParagraph()
  if (match($0, /(^|[ \t])#+ /)) prose(substr($0, RSTART + RLENGTH))
}

END {
  if (problems) printf "words: %d problem%s\n", problems, problems == 1 ? "" : "s" > "/dev/stderr"
  else printf "words: %d files, no problem\n", ARGC - 2
  exit problems > 0
}
