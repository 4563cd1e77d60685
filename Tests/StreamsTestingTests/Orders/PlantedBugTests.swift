import Foundation
import Streams
import StreamsTesting
import Testing

/// Five programs whose outcome depends on the order at one instant. Each is found, with a short
/// schedule, and each schedule leads to the other outcome again.
struct PlantedBugTests {
  /// A program, and what its failure has to say.
  struct Bug: Sendable, CustomTestStringConvertible {
    let name: String
    let schedule: String
    let reason: String
    let outcomes: [String]
    let run: @Sendable (World) -> String

    var testDescription: String { name }
  }

  static let bugs = [
    Bug(
      name: "flatMap where switchToLatest is needed", schedule: "300ms:1",
      reason: "300ms: request 2 before request 1", outcomes: ["swift", "s"]
    ) { world in
      search(world, typed: [(100, "s"), (200, "swift")]) { queries, results in
        queries.flatMap { results($0) }.eraseToAnyPublisher()
      }
    },
    Bug(
      name: "share, and a late subscriber", schedule: "100ms:1",
      reason: "100ms: request 1 before world.at", outcomes: ["early late", "early"]
    ) { world in
      let url = "https://example.com/news"
      world.network.stub(.get, url, responses: .text("News", after: .milliseconds(100)))
      return readers(of: load(url, in: world).share(), in: world).joined(separator: " ")
    },
    Bug(
      name: "a check before a write, with a hop in between", schedule: "10ms:0,1",
      reason: "10ms: the work for bank before the work for b withdrawals",
      outcomes: ["balance -100", "balance 0"]
    ) { world in
      let bank = DispatchQueue(label: "bank")
      let withdrawals = ["a", "b"].map { DispatchQueue(label: "\($0) withdrawals") }
      nonisolated(unsafe) var balance = 100
      let requests = PassthroughSubject<Int, Never>()
      for queue in withdrawals {
        requests
          .receive(on: queue)
          .filter { _ in balance >= 100 }
          .receive(on: bank)
          .sink { balance -= $0 }
          .store(in: &world.cancellables)
      }
      world.at(.milliseconds(10)) { requests.send(100) }
      world.run()
      return "balance \(balance)"
    },
    Bug(
      name: "flatMap with equal delays", schedule: "300ms:1",
      reason: "300ms: the timer set at 200ms before the timer set at 100ms",
      outcomes: ["new", "old"]
    ) { world in
      let texts = PassthroughSubject<(text: String, delay: Int), Never>()
      nonisolated(unsafe) var shown = ""
      texts
        .flatMap { Just($0.text).delay(for: .milliseconds($0.delay), scheduler: world.clock) }
        .sink { shown = $0 }
        .store(in: &world.cancellables)
      world.at(.milliseconds(100)) { texts.send(("old", 200)) }
      world.at(.milliseconds(200)) { texts.send(("new", 100)) }
      world.run()
      return shown
    },
    Bug(
      name: "a cancellation that races with a response", schedule: "100ms:1",
      reason: "100ms: request 1 before world.at", outcomes: ["signed out", "signed out, Ada"]
    ) { world in
      let url = "https://example.com/user"
      world.network.stub(.get, url, responses: .text("Ada", after: .milliseconds(100)))
      nonisolated(unsafe) var name = ""
      let load = load(url, in: world).sink { name = $0 }
      world.at(.milliseconds(100)) { load.cancel() }
      world.run()
      return name.isEmpty ? "signed out" : "signed out, \(name)"
    },
  ]

  @Test(arguments: bugs)
  func aBugIsFoundWithASmallSchedule(bug: Bug) throws {
    let messages = issues { expectSameInEveryOrder { bug.run($0) } }
    #expect(messages.count == 1)
    let lines = try #require(messages.first).split(separator: "\n").map(String.init)
    #expect(lines.first == "the outcome depends on the order of what happens at one instant")
    #expect(lines.contains("with \(bug.reason):"))
    #expect(
      lines.last
        == "to run that order again: withWorld(schedule: \"\(bug.schedule)\") { world in … }")
    #expect(
      lines.filter { bug.outcomes.contains($0.trimmingCharacters(in: .whitespaces)) }.count == 2)
  }

  /// Also while other threads keep the machine busy.
  @Test(arguments: bugs)
  func aScheduleLeadsToItsOutcomeEachTime(bug: Bug) {
    let load = DispatchQueue(label: "load", attributes: .concurrent)
    let isOver = Locked(false)
    for _ in 0..<2 { load.async { while !isOver.withLock({ $0 }) {} } }
    defer { isOver.withLock { $0 = true } }
    for _ in 0..<100 {
      #expect(withWorld { bug.run($0) } == bug.outcomes[0])
      #expect(withWorld(schedule: bug.schedule) { bug.run($0) } == bug.outcomes[1])
    }
  }

  /// Five correct programs that look like the ones above.
  static let correct: [Bug] = [
    Bug(name: "switchToLatest", schedule: "", reason: "", outcomes: ["swift"]) { world in
      // Something else that happens when the response arrives.
      world.at(.milliseconds(300)) {}
      return search(world, typed: [(100, "s"), (200, "swift")]) { queries, results in
        queries.map { results($0) }.switchToLatest().eraseToAnyPublisher()
      }
    },
    Bug(name: "a future, and a late subscriber", schedule: "", reason: "", outcomes: ["early late"])
    { world in
      let url = URL(string: "https://example.com/news")!
      world.network.stub(.get, url, responses: .text("News", after: .milliseconds(100)))
      let session = world.session
      let load = Future<String, Never> { promise in
        session.dataTask(with: url) { _, _, _ in promise(.success("News")) }.resume()
      }
      return readers(of: load, in: world).sorted().joined(separator: " ")
    },
    Bug(
      name: "a check and a write on one queue", schedule: "", reason: "", outcomes: ["balance 0"]
    ) { world in
      let bank = DispatchQueue(label: "bank")
      nonisolated(unsafe) var balance = 100
      let requests = PassthroughSubject<Int, Never>()
      for name in ["a", "b"] {
        requests
          .receive(on: DispatchQueue(label: name))
          .receive(on: bank)
          .filter { balance >= $0 }
          .sink { balance -= $0 }
          .store(in: &world.cancellables)
      }
      world.at(.milliseconds(10)) { requests.send(100) }
      world.run()
      return "balance \(balance)"
    },
    Bug(name: "delays of one length", schedule: "", reason: "", outcomes: ["old new"]) { world in
      let texts = PassthroughSubject<String, Never>()
      nonisolated(unsafe) var shown: [String] = []
      texts
        .delay(for: .milliseconds(100), scheduler: world.clock)
        .sink { shown.append($0) }
        .store(in: &world.cancellables)
      // Both at one instant, so both timers are due at one instant.
      world.at(.milliseconds(100)) {
        texts.send("old")
        texts.send("new")
      }
      world.run()
      return shown.joined(separator: " ")
    },
    Bug(name: "a sum of two requests", schedule: "", reason: "", outcomes: ["3"]) { world in
      let urls = ["https://example.com/1", "https://example.com/2"]
      for url in urls {
        world.network.stub(
          .get, url, responses: .text("\(url.last!)", after: .milliseconds(100)))
      }
      nonisolated(unsafe) var total = 0
      Publishers.MergeMany(
        urls.map { world.session.dataTaskPublisher(for: URL(string: $0)!) }
      )
      .map { Int(String(decoding: $0.data, as: UTF8.self)) ?? 0 }
      .replaceError(with: 0)
      .reduce(0, +)
      .sink { total = $0 }
      .store(in: &world.cancellables)
      world.run()
      return "\(total)"
    },
  ]

  @Test(arguments: correct)
  func aCorrectProgramIsNotAccused(program: Bug) {
    let outcomes = Locked<Set<String>>([])
    let runs = Locked(0)
    #expect(
      issues {
        expectSameInEveryOrder(departures: 2) { world in
          let outcome = program.run(world)
          outcomes.withLock { _ = $0.insert(outcome) }
          runs.withLock { $0 += 1 }
          return outcome
        }
      } == [])
    #expect(outcomes.withLock { $0 } == Set(program.outcomes))
    // With one run, nothing could come in another order. That's so only where timers were set at
    // one instant.
    #expect(runs.withLock { $0 } > 1 || program.name == "delays of one length")
  }

  /// The results of a search whose responses all arrive at 300 ms.
  private static func search(
    _ world: World, typed: [(time: Int, text: String)],
    _ connect: (
      AnyPublisher<String, Never>, @escaping (String) -> AnyPublisher<String, Never>
    ) -> AnyPublisher<String, Never>
  ) -> String {
    let queries = PassthroughSubject<String, Never>()
    nonisolated(unsafe) var shown = ""
    for (time, text) in typed {
      let url = "https://example.com/\(text)"
      world.network.stub(.get, url, responses: .text(text, after: .milliseconds(300 - time)))
      world.at(.milliseconds(time)) { queries.send(text) }
    }
    connect(queries.eraseToAnyPublisher()) { text in
      load("https://example.com/\(text)", in: world).eraseToAnyPublisher()
    }
    .sink { shown = $0 }
    .store(in: &world.cancellables)
    world.run()
    return shown
  }

  /// Who gets the response at 100 ms: a subscriber from before, and one that comes at that instant.
  private static func readers(
    of load: some Publisher<String, Never>, in world: World
  ) -> [String] {
    nonisolated(unsafe) var readers: [String] = []
    load.sink { _ in readers.append("early") }.store(in: &world.cancellables)
    world.at(.milliseconds(100)) {
      load.sink { _ in readers.append("late") }.store(in: &world.cancellables)
    }
    world.run()
    return readers
  }

  /// The text of a response.
  private static func load(_ url: String, in world: World) -> some Publisher<String, Never> {
    world.session.dataTaskPublisher(for: URL(string: url)!)
      .map { String(decoding: $0.data, as: UTF8.self) }
      .replaceError(with: "")
  }
}
