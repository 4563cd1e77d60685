import Testing

@testable import run_marbles

/// The tables of the diagrams whose marbles readers move.
struct RunMarblesTests {
  private func diagram(_ page: String) throws -> Diagram {
    try #require(diagrams.first { $0.page == page })
  }

  private func values(_ outcome: Outcome) -> [String] {
    outcome.values.map { "\($0.text)@\($0.time)" }
  }

  /// What debounce does, in other words than the library's: a value comes out if the next one, or
  /// the end, is far enough away.
  @Test func `debounce does what a model does, for every arrangement`() throws {
    let diagram = try diagram("debounce")
    for slots in diagram.arrangements {
      let times = slots[0].map { ($0 + 1) * 100 }
      let next = Array(times.dropFirst()) + [diagram.end]
      let expected = diagram.texts.indices.filter { times[$0] + 250 < next[$0] }
        .map { "\(diagram.texts[$0])@\(times[$0] + 250)" }
      #expect(values(diagram.outcome(of: slots)) == expected)
    }
  }

  @Test func `merge does what a model does, for some arrangements`() throws {
    let diagram = try diagram("merge")
    for slots in stride(from: 0, to: diagram.arrangements.count, by: 17).map({
      diagram.arrangements[$0]
    }) {
      let all = zip(diagram.texts, slots.flatMap { $0 }).map { ($0, ($1 + 1) * 100) }
      // At one instant, the input that was subscribed to first comes first.
      let sorted = all.enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      let outcome = diagram.outcome(of: slots)
      #expect(values(outcome) == sorted.map { "\($0.element.0)@\($0.element.1)" })
      #expect(outcome.values.map(\.from) == sorted.map { [$0.offset] })
    }
  }

  @Test func `a value knows its marbles and its trigger`() throws {
    let zip = try diagram("zip").outcome(of: [[0, 1, 2], [3, 4, 5]])
    #expect(zip.values.map(\.from) == [[0, 3], [1, 4], [2, 5]])
    #expect(zip.values.map(\.trigger) == [.marble(3), .marble(4), .marble(5)])
    let throttle = try diagram("throttle").outcome(of: [[0, 1, 2, 8]])
    #expect(values(throttle) == ["1@100", "3@430", "4@900"])
    #expect(throttle.values.map(\.from) == [[0], [2], [3]])
    #expect(throttle.values[1].trigger == .timer)
  }

  @Test(arguments: diagrams.map(\.page))
  func `a run gives the same twice, and the start has a slot for each marble`(page: String) throws {
    let diagram = try diagram(page)
    #expect(diagram.start.map(\.count) == diagram.inputs.map(\.marbles.count))
    #expect(diagram.arrangements.contains(diagram.start))
    #expect(diagram.arrangements.count < 10_000)
    for number in stride(from: 3, to: diagram.arrangements.count, by: 97) {
      let slots = diagram.arrangements[number]
      #expect(diagram.outcome(of: slots) == diagram.outcome(of: slots))
    }
  }

  @Test func `a goal that can't be reached is a mistake`() throws {
    let debounce = try diagram("debounce")
    func table(_ goal: Diagram.Goal) -> String? {
      let diagram = Diagram(
        page: "debounce", code: "", lead: "", inputs: debounce.inputs, slots: 4,
        start: [[0, 1, 2]], goals: [("Try", goal)], run: debounce.run)
      do {
        _ = try Table(diagram)
        return nil
      } catch { return "\(error)" }
    }
    #expect(
      table(.out(["f", "fi", "fig"])) == "debounce: no arrangement reaches the goal: Try")
    #expect(table(.drops(["f"])) == "debounce: the start reaches the goal: Try")
  }
}
