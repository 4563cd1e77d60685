import StubNetwork
import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// What's tried and found, with programs that are only lists of choices.
struct TrialsTests {
  /// A program whose choices each have some candidates. Its ending follows from the picks.
  private struct Program {
    let counts: [Int]
    /// What can go wrong in a run with faults.
    var faults: ([NetworkFault]) -> [NetworkFault] = { _ in [] }
    /// What the picks lead to.
    let ending: ([Int], [NetworkFault]) -> String
    /// What streams record; the picks, if not given.
    var record: ([Int]) -> [String] = { $0.map(String.init) }

    func run(_ variation: Variation) -> Trials<[String]>.Run {
      // Two choices at each instant.
      let choices = counts.indices.map { index in
        let time = VirtualTime.milliseconds(10 * (index / 2))
        let departure = variation.schedule?.departures.first {
          $0.time == time && $0.choice == index % 2
        }
        return OrderChoice(
          time: time, index: index % 2, candidates: (0..<counts[index]).map { "c\($0)" },
          pick: departure?.pick ?? 0)
      }
      let picks = choices.map(\.pick)
      let events = record(picks).enumerated().map { index, text in
        Timeline.Event(
          number: index + 1, time: .zero, place: 0, lane: .init("output", role: .console),
          kind: .printed(text))
      }
      return Trials.Run(
        ending: [ending(picks, variation.faults)], recording: .init(events: events),
        choices: variation.schedule == nil ? [] : choices, possibleFaults: faults(variation.faults))
    }
  }

  /// The variations that are tried, without the run that makes no choices.
  private func explore(
    _ program: Program, departures: Int = 1, runs: Int = 10_000, trustsRecords: Bool = true
  ) -> (trials: Trials<[String]>, schedules: [String]) {
    var trials = Trials<[String]>(
      orders: OrderBound(departures: departures, runs: runs, trustsRecords: trustsRecords))
    var schedules: [String] = []
    while let variation = trials.next() {
      if let schedule = variation.schedule { schedules.append("\(schedule)") }
      trials.note(program.run(variation))
    }
    return (trials, schedules)
  }

  /// Each ending, and what leads to it.
  private func findings(_ trials: Trials<[String]>) -> [String] {
    trials.findings.map { finding in
      let cases = finding.cases.map { "\($0.argument) (\($0.order)) ×\($0.count)" }
      return "\(finding.ending[0]): \(cases.joined(separator: "; "))"
    }
  }

  @Test func `the usual order comes first, then each departure in the order of time`() {
    let (trials, schedules) = explore(Program(counts: [2, 3, 2]) { _, _ in "same" })
    #expect(schedules == ["", "0:1", "0:0,1", "0:0,2", "10ms:1"])
    #expect(findings(trials) == ["same:  () ×5"])
    #expect([trials.runCount, trials.choiceCount] == [5, 3])
    #expect(trials.cuts == [])
  }

  @Test func `with two departures, each pair is run once`() {
    let (_, schedules) = explore(Program(counts: [2, 2, 2]) { _, _ in "same" }, departures: 2)
    #expect(schedules == ["", "0:1", "0:0,1", "10ms:1", "0:1,1", "0:1 10ms:1", "0:0,1 10ms:1"])
  }

  @Test func `each ending has a smallest schedule, and says why`() {
    let program = Program(counts: [2, 2, 2, 2]) { picks, _ in
      picks[3] == 1 ? "late" : picks[1] + picks[2] == 2 ? "both" : "usual"
    }
    #expect(
      findings(explore(program, departures: 2).trials) == [
        "usual:  () ×6", "late: 10ms:0,1 (10ms: c1 before c0) ×4",
        #"both: "0:0,1 10ms:1" (0: c1 before c0, then 10ms: c1 before c0) ×1"#,
      ])
  }

  /// A departure that changes no stream commutes with what it overtakes. Choices of its own instant
  /// may come between the two, so it's still combined with those.
  @Test func `a departure that changes nothing isn't combined with those of later instants`() {
    var program = Program(counts: [2, 2, 2]) { picks, _ in picks[2] == 1 ? "other" : "usual" }
    program.record = { ["\($0[1])", "\($0[2])"] }
    let (trials, schedules) = explore(program, departures: 3)
    #expect(
      schedules == ["", "0:1", "0:0,1", "10ms:1", "0:1,1", "0:0,1 10ms:1", "0:1,1 10ms:1"])
    #expect(trials.findings.map(\.ending) == [["usual"], ["other"]])
    #expect(explore(program, departures: 3, trustsRecords: false).schedules.count == 8)
  }

  @Test func `a limit that's reached is told`() {
    let program = Program(counts: [2, 2, 2]) { _, _ in "same" }
    let (trials, schedules) = explore(program, runs: 3)
    #expect(schedules == ["", "0:1", "0:0,1"])
    #expect(trials.cuts == ["stopped after 3 runs, and there are more orders"])
    #expect(explore(program, runs: 4).trials.cuts == [])
  }

  @Test func `a program that isn't the same twice is told, and not tried further`() {
    var runCount = 0
    var program = Program(counts: [2]) { _, _ in "same" }
    program.record = { _ in
      runCount += 1
      return ["same", "run \(runCount)"]
    }
    let (trials, schedules) = explore(program)
    #expect(schedules == [""])
    #expect(
      trials.differences.map { $0.difference.message("take care") } == [
        """
        event 2 differs in a second run: take care
          first   0 output: run 1
          second  0 output: run 2
          Event 2: output prints: run 1
          2  0ms  output prints: run 1
        """
      ])
  }

  /// All orders of a random program, found by brute force, are found by the search.
  @Test(arguments: 0..<20)
  func `enough departures find all endings`(seed: UInt64) {
    var random = seed
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    let counts = (0..<4).map { _ in 1 + next(3) }
    let key = next(97)
    let program = Program(counts: counts) { picks, _ in
      "\(picks.enumerated().reduce(key) { ($0 * 7 + $1.element * ($1.offset + 1)) % 5 })"
    }
    var all: Set<String> = []
    func visit(_ picks: [Int]) {
      guard picks.count < counts.count else {
        all.insert(program.ending(picks, []))
        return
      }
      for pick in 0..<counts[picks.count] { visit(picks + [pick]) }
    }
    visit([])
    // A choice of one candidate is none.
    let trials = explore(program, departures: 4).trials
    #expect(Set(trials.findings.map(\.ending[0])) == all)
    #expect(trials.runCount == counts.reduce(1, *))
  }

  // MARK: Faults

  /// A program that shows less after a refusal, and something else if the order changes.
  private let faulty = Program(
    counts: [2],
    faults: { _ in
      [.init(request: 1, .refused), .init(request: 1, .timedOut), .init(request: 2, .refused)]
    }
  ) { picks, faults in
    faults.contains { $0.kind == .refused } ? "nothing" : picks == [1] ? "late" : "all"
  }

  /// Runs trials, stops them before a run, and returns what was tried, how far the trials said they
  /// were, and the table.
  private func tryFaults(
    _ trials: Trials<[String]>, of program: Program? = nil, stoppedBefore stop: Int? = nil
  ) -> (log: [String], table: [String]) {
    var trials = trials
    var log: [String] = []
    while let variation = trials.next() {
      if log.count == stop { break }
      let order = variation.schedule.map { "order \"\($0)\"" } ?? "plain"
      trials.note((program ?? faulty).run(variation))
      let (count, isFinal) = trials.runsLeft
      log.append(
        "\(variation.faults.isEmpty ? "healthy" : NetworkFault.description(of: variation.faults)), "
          + "\(order), then "
          + "\(trials.place ?? "no place"), \(isFinal ? "" : "at least ")\(count) left")
    }
    if stop != nil { trials.stop(by: "Ctrl-C") }
    return (log, trials.faultTable())
  }

  @Test func `each fault is tried in the usual order`() {
    let (log, table) = tryFaults(Trials(faults: .init()))
    #expect(
      log == [
        "healthy, plain, then no place, 3 left",
        "request 1 is refused, plain, then no place, 2 left",
        "request 1 times out, plain, then no place, 1 left",
        "request 2 is refused, plain, then no place, 0 left",
      ])
    #expect(
      table == [
        "3 faults lead to 2 outcomes", "", "without a fault", "request 1 times out", "   all", "",
        "request 1 is refused", "request 2 is refused", "   nothing",
      ])
    #expect(
      tryFaults(Trials(faults: .init { $0.request == 2 })).table == [
        "1 fault leads to 2 outcomes", "", "without a fault", "   all", "", "request 2 is refused",
        "   nothing",
      ])
    #expect(
      tryFaults(Trials(faults: .init { _ in false })).table == [
        "no request has a response, so nothing can go wrong with it"
      ])
  }

  @Test func `each fault is tried in several orders`() {
    let (log, table) = tryFaults(
      Trials(orders: .init(trustsRecords: true), faults: .init { $0.request == 1 }))
    #expect(
      log == [
        "healthy, plain, then without a fault, at least 1 left",
        "healthy, order \"\", then without a fault, at least 1 left",
        "healthy, order \"0:1\", then fault 1 of 2, at least 1 left",
        "request 1 is refused, plain, then fault 1 of 2, at least 1 left",
        "request 1 is refused, order \"\", then fault 1 of 2, at least 1 left",
        "request 1 is refused, order \"0:1\", then fault 2 of 2, at least 1 left",
        "request 1 times out, plain, then fault 2 of 2, at least 1 left",
        "request 1 times out, order \"\", then fault 2 of 2, 1 left",
        "request 1 times out, order \"0:1\", then no place, 0 left",
      ])
    #expect(
      table == [
        "2 faults, in 6 runs with up to one departure each, lead to 3 outcomes", "",
        "without a fault", "request 1 times out", "   all", "",
        "without a fault, and at 0: c1 before c0 (0:1)",
        "request 1 times out, and at 0: c1 before c0 (0:1)", "   late", "",
        "request 1 is refused", "   nothing",
      ])
  }

  @Test func `endings that only differ in their status stand together`() {
    let program = Program(
      counts: [],
      faults: { faults in
        let kinds: [NetworkFault.Kind] =
          faults.isEmpty
          ? [.refused, .emptyBody, .status(401), .status(403), .status(500), .status(503)]
          : faults[0].kind == .emptyBody || faults[0].kind == .refused
            ? [.status(401), .status(403)] : []
        return kinds.map { .init(request: faults.count + 1, $0) }
      }
    ) { _, faults in
      switch faults.last?.kind {
      case .status(500): "asked for 401, failed: 401"
      case .status(let status) where faults.count == 2: "failed later: \(status)"
      case .status(let status): "failed: \(status), not 4010 or 999"
      default: "all"
      }
    }
    #expect(
      tryFaults(Trials(faults: .init(pairs: 9)), of: program).table == [
        "6 faults and 4 pairs lead to 4 outcomes", "", "without a fault",
        "request 1 is refused, gets an empty body", "   all", "",
        "request 1 gets a 401, 403, 503", "   failed: <status>, not 4010 or 999", "",
        "request 1 gets a 500", "   asked for 401, failed: 401", "",
        "request 1 is refused, gets an empty body, and then request 2 gets a 401, 403",
        "   failed later: <status>",
      ])
  }

  @Test func `a status of the usual ending stays`() {
    let usual = ["logged out: 401", "done: 200"]
    let fault = NetworkFault.Kind.status(401)
    #expect(
      fault.withoutStatus(["logged out: 401", "failed: 401", "done: 200"], unlike: usual) == [
        "logged out: 401", "failed: <status>", "done: 200",
      ])
    #expect(NetworkFault.Kind.refused.withoutStatus(["401"], unlike: []) == ["401"])
  }

  // MARK: Lasting faults, and pairs

  @Test func `faults last from their request on`() {
    let (log, table) = tryFaults(Trials(faults: .init(isLasting: true) { $0.kind == .refused }))
    #expect(
      log == [
        "healthy, plain, then no place, 2 left",
        "from request 1 on, each request is refused, plain, then no place, 1 left",
        "from request 2 on, each request is refused, plain, then no place, 0 left",
      ])
    #expect(
      table == [
        "2 lasting faults lead to 2 outcomes", "", "without a fault", "   all", "",
        "from request 1 on, each request is refused", "from request 2 on, each request is refused",
        "   nothing",
      ])
  }

  /// A program that tries once more if its first request is refused.
  private let retrying = Program(
    counts: [],
    faults: { faults in
      let numbers = faults.first?.kind == .refused ? 1...2 : 1...1
      return numbers.flatMap { number in
        [.refused, .timedOut, .status(401), .status(403), .emptyBody].map {
          .init(request: number, $0)
        }
      }
    }
  ) { _, faults in
    switch faults.last?.kind {
    case nil: "all"
    case .refused: faults.count == 1 ? "all" : "gave up"
    case .emptyBody: "nothing"
    default: "error"
    }
  }

  @Test func `after each fault come those of the requests that it leads to`() {
    let (log, table) = tryFaults(Trials(faults: .init(pairs: 9)), of: retrying)
    #expect(
      log == [
        "healthy, plain, then no place, at least 5 left",
        "request 1 is refused, plain, then no place, at least 9 left",
        "request 1 times out, plain, then no place, at least 8 left",
        "request 1 gets a 401, plain, then no place, at least 7 left",
        "request 1 gets a 403, plain, then no place, at least 6 left",
        "request 1 gets an empty body, plain, then no place, 5 left",
        "request 1 is refused, and then request 2 is refused, plain, then no place, 4 left",
        "request 1 is refused, and then request 2 times out, plain, then no place, 3 left",
        "request 1 is refused, and then request 2 gets a 401, plain, then no place, 2 left",
        "request 1 is refused, and then request 2 gets a 403, plain, then no place, 1 left",
        "request 1 is refused, and then request 2 gets an empty body, plain, then no place, 0 left",
      ])
    #expect(
      table == [
        "5 faults and 5 pairs lead to 4 outcomes", "", "without a fault", "request 1 is refused",
        "   all", "", "request 1 times out, gets a 401, 403", "3 pairs of faults", "   error", "",
        "request 1 gets an empty body", "1 pair of faults", "   nothing", "",
        "request 1 is refused, and then request 2 is refused", "   gave up",
      ])
  }

  @Test func `a limit of pairs that's reached is told`() {
    let (log, table) = tryFaults(Trials(faults: .init(pairs: 4)), of: retrying)
    #expect(log.count == 10)
    #expect(
      table.prefix(2) == [
        "5 faults and 4 pairs lead to 4 outcomes",
        "stopped after 4 pairs of faults, and there are more",
      ])
    #expect(
      !tryFaults(Trials(faults: .init(pairs: 5)), of: retrying).table[1].contains("stopped"))
  }

  @Test func `first faults with the same second ones stand together`() {
    let kinds: [NetworkFault.Kind] = [.refused, .status(401), .status(403), .emptyBody]
    let pairs = kinds.flatMap { first in
      kinds.filter { $0 != .refused || first == .emptyBody }.map {
        [NetworkFault(request: 1, first), NetworkFault(request: 3, $0).lasting]
      }
    }
    #expect(
      NetworkFault.words(for: pairs, width: 60) == [
        "request 1 is refused, gets a 401, 403, and then",
        "  from request 3 on, each request gets a 401, 403,",
        "  gets an empty body",
        "request 1 gets an empty body, and then from request 3 on,",
        "  each request is refused, gets a 401, 403,",
        "  gets an empty body",
      ])
  }

  @Test(arguments: [
    (1, ["without a fault: stopped by Ctrl-C before other orders were tried"], 1),
    (3, [], 1),
    (5, ["request 1 is refused: stopped by Ctrl-C after 1 run, and there are more orders"], 2),
  ])
  func `trials that are stopped say what they leave out`(stop: Int, cuts: [String], next: Int) {
    let trials = Trials<[String]>(
      orders: .init(trustsRecords: true), faults: .init { $0.request == 1 })
    let table = tryFaults(trials, stoppedBefore: stop).table
    let rest = next == 1 ? "request 1 is refused" : "request 1 times out"
    #expect(
      table.prefix { $0 != "" }.dropFirst() == (cuts + ["stopped by Ctrl-C before \(rest)"])[...])
  }
}
