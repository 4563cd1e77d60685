# Builds many answers as one program, for check.sh and mutants.sh. A program takes long to link, so each
# answer is a module of it, with its exercise's check.
answers=.build/answers
rm -rf "$answers"
mkdir -p "$answers/all-answers"
modules=()

# The exercises to check: all, or those in ONLY="three-values stop-after-two" for a person who works on
# them.
checked_names() { all_names | { [ -z "${ONLY-}" ] && cat || grep -xF -- "$(tr ' ' '\n' <<<"$ONLY")"; }; }

add() { # exercise, answer, file
  local folder=$answers/$1-$2
  mkdir -p "$folder"
  cp "Exercises/$1/Check.swift" "$folder"
  cp "$3" "$folder/$(basename "$(learners_file "$1")")"
  printf 'import ExerciseKit\n\npublic var answerToCheck: Check { check }\n' >"$folder/Answer.swift"
  modules+=("$1-$2")
}

build_answers() {
  local module
  {
    echo "import ExerciseKit"
    for module in "${modules[@]}"; do echo "import ${module//-/_}"; done
    echo
    echo "switch CommandLine.arguments.last {"
    for module in "${modules[@]}"; do
      echo "case \"$module\":"
      echo "  answer(${module//-/_}.answerToCheck)"
    done
    echo "default: fatalError(\"no such answer\")"
    echo "}"
  } >"$answers/all-answers/main.swift"
  CHECK_ANSWERS="${modules[*]}" swift build --disable-build-manifest-caching --product all-answers
}

# The exercise that a module answers.
exercise_of() { # module
  local name
  for name in $(all_names); do case $1 in "$name"-*) echo "$name" ;; esac; done | tail -n 1
}
