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
      // The last of these is the end.
      let next = Array(times.dropFirst())
      let texts = diagram.inputs[0].marbles
      let expected = texts.indices.filter { times[$0] + 250 < next[$0] }
        .map { "\(texts[$0])@\(times[$0] + 250)" }
      let outcome = diagram.outcome(of: slots)
      #expect(values(outcome) == expected)
      #expect(outcome.end == times[texts.count])
    }
  }

  @Test func `merge does what a model does, for some arrangements`() throws {
    let diagram = try diagram("merge")
    for slots in stride(from: 0, to: diagram.arrangements.count, by: 17).map({
      diagram.arrangements[$0]
    }) {
      let all = zip(diagram.items.compactMap { $0 }, slots.flatMap { $0 }).map {
        ($0, ($1 + 1) * 100)
      }
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
    let throttle = try diagram("throttle").outcome(of: [[0, 1, 2, 8, 12]])
    #expect(values(throttle) == ["1@100", "3@430", "4@900"])
    #expect(throttle.values.map(\.from) == [[0], [2], [3]])
    #expect(throttle.values[1].trigger == .timer)
  }

  @Test(arguments: diagrams.map(\.name))
  func `a run gives the same twice, and the start has a slot for each marble`(name: String) throws {
    let diagram = try #require(diagrams.first { $0.name == name })
    #expect(diagram.start.map(\.count) == diagram.inputs.map(\.itemCount))
    #expect((2...4).contains(diagram.goals.count))
    #expect(diagram.arrangements.contains(diagram.start))
    #expect(diagram.arrangements.count < 10_000)
    for number in stride(from: 3, to: diagram.arrangements.count, by: 97) {
      let slots = diagram.arrangements[number]
      #expect(diagram.outcome(of: slots) == diagram.outcome(of: slots))
    }
  }

  @Test func `an input that fails is caught, or tried again`() throws {
    let caught = try diagram("catch").outcome(of: [[0, 1, 2, 3]])
    #expect(values(caught) == ["1@100", "2@200", "3@300", "a@550", "b@750"])
    #expect(caught.values.map(\.from) == [[0], [1], [2], [], []])
    #expect(caught.end == 750 && !caught.fails)
    let retried = try diagram("retry").outcome(of: [[0, 1, 2]])
    #expect(values(retried) == ["1@100", "2@200", "1@400", "2@500"])
    #expect(retried.values.map(\.from) == [[0], [1], [0], [1]])
    #expect(retried.end == 600 && retried.fails)
  }

  @Test func `a full buffer drops what comes next`() throws {
    let outcome = try diagram("buffer").outcome(of: [[0, 1, 2, 8]])
    #expect(values(outcome) == ["1@350", "2@600", "4@1150"])
    #expect(outcome.values.map(\.from) == [[0], [1], [3]])
    #expect(
      inners(outcome) == [
        "upload of 1 of 0 from 100: 1@350, finished@350",
        "upload of 2 of 1 from 350: 2@600, finished@600",
        "upload of 4 of 3 from 900: 4@1150, finished@1150",
      ])
  }

  private func inners(_ outcome: Outcome) -> [String] {
    outcome.inners.map { inner in
      let values = inner.values.map { "\($0.text)@\($0.time)" }
      let ending = inner.ending.map { ["\($0)@\(inner.end)"] } ?? []
      return "\(inner.name) of \(inner.marble.map(String.init) ?? "none") from \(inner.start): "
        + (values + ending).joined(separator: ", ")
    }
  }

  @Test func `the streams inside of an operator are known, with their endings`() throws {
    let slots = [[0, 2]]
    let flatMap = try diagram("flat-map").outcome(of: slots)
    #expect(
      inners(flatMap) == [
        "posts of A of 0 from 100: A1@250, A2@450, finished@450",
        "posts of B of 1 from 300: B1@450, B2@650, finished@650",
      ])
    #expect(values(flatMap) == ["A1@250", "A2@450", "B1@450", "B2@650"])
    #expect(flatMap.values.map(\.from) == [[0], [0], [1], [1]])
    let switched = try diagram("switch-to-latest").outcome(of: slots)
    #expect(
      inners(switched) == [
        "posts of A of 0 from 100: A1@250, cancelled@300",
        "posts of B of 1 from 300: B1@450, B2@650, finished@650",
      ])
    #expect(switched.values.map(\.from) == [[0], [1], [1]])
    let caught = try diagram("catch").outcome(of: [[0, 1, 2, 3]])
    #expect(inners(caught) == ["cached of none from 400: a@550, b@750, finished@750"])
    let retried = try diagram("retry").outcome(of: [[0, 1, 2]])
    #expect(inners(retried) == ["download 2 of none from 300: 1@400, 2@500, failed@600"])
    #expect(try inners(diagram("merge").outcome(of: [[0, 4], [2, 6]])) == [])
  }

  /// A value that comes out of one stream is never drawn as if it came out of another.
  @Test(arguments: ["flat-map", "switch-to-latest", "buffer", "catch"])
  func `each value of a stream inside of an operator comes out when it's sent`(page: String) throws
  {
    let diagram = try diagram(page)
    for slots in diagram.arrangements {
      let outcome = diagram.outcome(of: slots)
      let sent = outcome.inners.flatMap(\.values).map { "\($0.text)@\($0.time)" }
      #expect(Set(sent).count == sent.count)
      #expect(Set(sent).isSubset(of: Set(values(outcome))))
    }
  }

  @Test func `the first kind of throttle keeps the first`() throws {
    let first = try #require(diagrams.first { $0.name == "throttle--first" })
    #expect(values(first.outcome(of: [[0, 1, 2, 8, 12]])) == ["1@100", "2@430", "4@900"])
  }

  @Test func `a goal that can't be reached is a mistake`() throws {
    let debounce = try diagram("debounce")
    func table(_ goal: Diagram.Goal) -> String? {
      let diagram = Diagram(
        page: "debounce", code: "", lead: "", inputs: debounce.inputs, slots: 4,
        start: [[0, 1, 2, 4]], goals: [("Try", goal)], run: debounce.run)
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
