import ExerciseKit

/// A label of a screen.
final class Label {
  private let show: (String) -> Void
  var text = "" { didSet { show(text) } }

  init(show: @escaping (String) -> Void) { self.show = show }
}

let check = Check(
  learned: "`assign` has no place for an error, so the stream above it must not be able to fail.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let names = attempt.source("names", "-a--b--#", failure: URLError(.notConnectedToInternet))
  let label = Label(show: attempt.expectCalls("-a--b--?"))
  attempt.keep(show(names, in: label))
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().count == 2 else { return nil }
  return "After the failure at 70 ms, the label still shows `b`: you dropped the error, so no one "
    + "learns of it."
}
