import Testing
import VirtualTime

/// The search for orders, on programs that are only lists of choices.
struct OrderSearchTests {
  typealias Search = OrderSearch<[String], String>

  /// A program whose choices each have some candidates. Its outcome follows from the picks.
  private struct Program {
    let counts: [Int]
    /// What the picks lead to.
    let outcome: ([Int]) -> String
    /// What streams record; the picks, if not given.
    var record: ([Int]) -> [String] = { $0.map(String.init) }

    /// The choices with a schedule.
    func choices(_ schedule: Schedule) -> [OrderChoice] {
      counts.indices.map { index in
        let time = VirtualTime.milliseconds(10 * (index / 2))
        let departure = schedule.departures.first { $0.time == time && $0.choice == index % 2 }
        return OrderChoice(
          time: time, index: index % 2, candidates: (0..<counts[index]).map { "c\($0)" },
          pick: departure?.pick ?? 0)
      }
    }
  }

  private func explore(
    _ program: Program, departures: Int = 1, runs: Int = 10_000
  ) -> (search: Search, schedules: [String]) {
    var search = Search(.init(departures: departures, runs: runs))
    var schedules: [String] = []
    while let schedule = search.next() {
      schedules.append("\(schedule)")
      let choices = program.choices(schedule)
      let picks = choices.map(\.pick)
      search.note(
        choices: choices, record: program.record(picks), outcome: program.outcome(picks))
    }
    return (search, schedules)
  }

  @Test func `the usual order comes first, then each departure in the order of time`() {
    let (search, schedules) = explore(Program(counts: [2, 3, 2]) { _ in "same" })
    #expect(schedules == ["", "0:1", "0:0,1", "0:0,2", "10ms:1"])
    #expect(search.findings.count == 1)
    #expect(search.findings[0].count == 5)
    #expect(search.choiceCount == 3)
    #expect(!search.isCut)
  }

  @Test func `with two departures, each pair is run once`() {
    let (_, schedules) = explore(Program(counts: [2, 2, 2]) { _ in "same" }, departures: 2)
    #expect(schedules == ["", "0:1", "0:0,1", "10ms:1", "0:1,1", "0:1 10ms:1", "0:0,1 10ms:1"])
  }

  @Test func `each outcome has a smallest schedule, and says why`() {
    let program = Program(counts: [2, 2, 2, 2]) { picks in
      picks[3] == 1 ? "late" : picks[1] + picks[2] == 2 ? "both" : "usual"
    }
    let findings = explore(program, departures: 2).search.findings
    #expect(findings.map(\.outcome) == ["usual", "late", "both"])
    #expect(findings.map { "\($0.schedule)" } == ["", "10ms:0,1", "0:0,1 10ms:1"])
    #expect(findings[2].reasons == ["0: c1 before c0", "10ms: c1 before c0"])
    #expect(findings.map(\.count) == [6, 4, 1])
  }

  /// A departure that changes no stream commutes with what it overtakes. Choices of its own instant
  /// may come between the two, so it's still combined with those.
  @Test func `a departure that changes nothing isn't combined with those of later instants`() {
    var program = Program(counts: [2, 2, 2]) { picks in picks[2] == 1 ? "other" : "usual" }
    program.record = { ["\($0[1])", "\($0[2])"] }
    let (search, schedules) = explore(program, departures: 3)
    #expect(
      schedules == ["", "0:1", "0:0,1", "10ms:1", "0:1,1", "0:0,1 10ms:1", "0:1,1 10ms:1"])
    #expect(search.findings.map(\.outcome) == ["usual", "other"])
  }

  @Test func `without a record, every pair is run`() {
    let program = Program(counts: [2, 2, 2]) { _ in "same" }
    var search = Search(.init(departures: 2))
    var count = 0
    while let schedule = search.next() {
      count += 1
      search.note(choices: program.choices(schedule), record: nil, outcome: "same")
    }
    #expect(count == 7)
  }

  @Test func `a limit that's reached is told`() {
    let program = Program(counts: [2, 2, 2]) { _ in "same" }
    #expect(explore(program, runs: 3).search.isCut)
    #expect(explore(program, runs: 3).schedules.count == 3)
    #expect(!explore(program, runs: 4).search.isCut)
  }

  /// All orders of a random program, found by brute force, are found by the search.
  @Test(arguments: 0..<20)
  func `enough departures find all outcomes`(seed: UInt64) {
    var random = seed
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    let counts = (0..<4).map { _ in 1 + next(3) }
    let key = next(97)
    let program = Program(counts: counts) { picks in
      "\(picks.enumerated().reduce(key) { ($0 * 7 + $1.element * ($1.offset + 1)) % 5 })"
    }
    var all: Set<String> = []
    func visit(_ picks: [Int]) {
      guard picks.count < counts.count else {
        all.insert(program.outcome(picks))
        return
      }
      for pick in 0..<counts[picks.count] { visit(picks + [pick]) }
    }
    visit([])
    // A choice of one candidate is none.
    let search = explore(program, departures: 4).search
    #expect(Set(search.findings.map(\.outcome)) == all)
    #expect(search.runCount == counts.reduce(1, *))
  }
}
