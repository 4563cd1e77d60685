import ScenarioKit
import Testing

@testable import search_as_you_type

/// The order of the search's operators matters.
@Suite struct SearchAsYouTypeTests {
  @Test func aboveDebounceRemoveDuplicatesLetsARepeatedQueryThrough() {
    let below = queries { $0.debounce(for: $2, scheduler: $1).removeDuplicates() }
    #expect(below == ["sw", "swift"])
    let above = queries { $0.removeDuplicates().debounce(for: $2, scheduler: $1) }
    #expect(above == ["sw", "swift", "swift"])
  }

  @Test func belowSwitchToLatestReplaceErrorEndsTheSearch() {
    let above = output { $0.map { load($0).replaceError(with: []) }.switchToLatest() }
    #expect(above == ["[]", #"["swift"]"#])
    let below = output { $0.map { load($0) }.switchToLatest().replaceError(with: []) }
    #expect(below == ["[]", "finished"])
  }

  /// The queries that some operators make of the scenario's keystrokes.
  private func queries<Queries: Publisher<String, Never>>(
    _ operators: (
      PassthroughSubject<String, Never>, VirtualTimeScheduler, VirtualTime.Interval
    ) -> Queries
  ) -> [String] {
    withVirtualTime { clock in
      let typed = PassthroughSubject<String, Never>()
      var queries: [String] = []
      let subscription = operators(typed, clock, .milliseconds(300)).sink { queries.append($0) }
      for (time, text) in keystrokes { clock.schedule(after: time) { typed.send(text) } }
      clock.run()
      subscription.cancel()
      return queries
    }
  }

  /// A publisher that fails for `sw`, and finds the query itself otherwise.
  private func load(_ query: String) -> AnyPublisher<[String], URLError> {
    query == "sw"
      ? Fail(error: URLError(.networkConnectionLost)).eraseToAnyPublisher()
      : Just([query]).setFailureType(to: URLError.self).eraseToAnyPublisher()
  }

  /// The values and the completion of a search for `sw`, then for `swift`.
  private func output<Results: Publisher<[String], Never>>(
    _ operators: (PassthroughSubject<String, Never>) -> Results
  ) -> [String] {
    let queries = PassthroughSubject<String, Never>()
    var output: [String] = []
    let subscription = operators(queries).sink(
      receiveCompletion: { output.append("\($0)") }, receiveValue: { output.append("\($0)") })
    queries.send("sw")
    queries.send("swift")
    subscription.cancel()
    return output
  }
}
