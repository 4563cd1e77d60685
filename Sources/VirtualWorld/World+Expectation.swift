/// What a test can expect of a whole run.
extension World {
  /// Something that a test expects, looked at when it's over.
  struct Expectation {
    /// Whether it doesn't count if the test stops early.
    let canFollowFromEarlyEnd: Bool

    /// Returns what's wrong, if anything is.
    let problem: @Sendable () -> Problem?
  }

  /// Adds an expectation.
  ///
  /// - Parameters:
  ///   - canFollowFromEarlyEnd: Whether it doesn't count if the test stops early.
  ///   - problem: Called when the test is over, before the world ends its subscriptions. Returns
  ///     what's wrong, if anything is.
  package func expect(
    canFollowFromEarlyEnd: Bool, _ problem: @escaping @Sendable () -> Problem?
  ) {
    let expectation = Expectation(
      canFollowFromEarlyEnd: canFollowFromEarlyEnd, problem: problem)
    state.withLock { $0.expectations.append(expectation) }
  }

  /// Whether something that the test expects of the run isn't so, as far as it has come.
  package var breaksExpectations: Bool {
    state.withLock { $0.expectations }.contains { $0.problem() != nil }
  }

  /// Where the calling code runs, in words, if that's neither the main queue nor the test's own
  /// code; `nil` if it's one of these.
  package var placeOffMain: String? { backend.placeOffMain }
}
