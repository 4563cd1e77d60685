/// A random case: it runs, it has a model, and it can be made simpler and printed.
protocol RandomCase: Sendable {
  /// Whether it may run.
  var isValid: Bool { get }

  /// Cases that are one step simpler. Each step makes the case smaller in some measure and none
  /// bigger, so shrinking ends.
  var simplerCases: [Self] { get }

  /// How a run differs from the model; `nil` if it doesn't.
  func findProblem() -> Problem?

  /// The case as a test to paste.
  func code(_ problem: Problem) -> String
}
