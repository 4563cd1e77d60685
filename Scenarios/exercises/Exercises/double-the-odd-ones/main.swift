import ExerciseKit

answer(check)
