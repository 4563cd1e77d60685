import Foundation
import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a test decides can come at other times.
struct MoveTests {
  /// Runs a body in a world with moves.
  ///
  /// - Returns: The transcript, without the requests' starts, and the problems.
  private func run(_ moves: Moves, _ body: (World) -> Void) -> [String] {
    let problems = Locked<[String]>([])
    let lines = withWorld(
      moving: moves, onProblem: { problem in problems.withLock { $0.append(problem.message) } }
    ) { world in
      body(world)
      world.run()
      return world.transcript.split(separator: "\n").map { line in
        line.split(separator: " ").joined(separator: " ")
      }
    }
    return lines.filter { !$0.contains("GET https") && $0 != "No events." }
      + problems.withLock { $0 }
  }

  private func load(_ path: String, in world: World) {
    let url = URL(string: "https://example.com/\(path)")!
    world.session.dataTaskPublisher(for: url)
      .sink(receiveCompletion: { _ in }) { _ in }
      .store(in: &world.cancellables)
  }

  // MARK: Responses

  private func loadTwice(_ world: World) {
    world.network.stub(
      .get, "https://example.com/a?q=1", responses: .status(200, after: .milliseconds(100)),
      .status(201, after: .milliseconds(100)))
    world.at(.zero) { load("a?q=1", in: world) }
    world.at(.milliseconds(50)) { load("a?q=1", in: world) }
  }

  @Test(
    arguments: [
      ([], ["100ms request 1 200 OK", "150ms request 2 201 Created"]),
      (["GET /a?q=1 to 170ms"], ["150ms request 2 201 Created", "170ms request 1 200 OK"]),
      (["GET /a?q=1 #2 to 60ms"], ["60ms request 2 201 Created", "100ms request 1 200 OK"]),
      (
        ["GET /a?q=1 to 170ms", "GET /a?q=1 #2 to 160ms"],
        ["160ms request 2 201 Created", "170ms request 1 200 OK"]
      ),
    ] as [([String], [String])])
  func aResponseComesAtAnotherTime(moves: [String], history: [String]) {
    let lines = run(Moves(moves), loadTwice).filter { !$0.hasSuffix("finished") }
    #expect(lines == history)
  }

  @Test func aResponseThatNeverComesTimesOut() {
    #expect(
      run("GET /a to never") { world in
        world.network.stub(.get, "https://example.com/a", responses: .status(200))
        load("a", in: world)
      } == ["60000ms request 1 failed: timedOut"])
  }

  @Test(
    arguments: [
      (
        [],
        [
          "10ms request 1 200 OK", "10ms request 1 1 byte", "30ms request 1 2 bytes",
          "40ms request 1 finished",
        ]
      ),
      (
        ["chunk 2 of GET /song to 100ms"],
        [
          "10ms request 1 200 OK", "10ms request 1 1 byte", "100ms request 1 2 bytes",
          "110ms request 1 finished",
        ]
      ),
      (
        ["GET /song to 50ms", "the end of GET /song to 51ms"],
        [
          "50ms request 1 200 OK", "50ms request 1 1 byte", "70ms request 1 2 bytes",
          "70ms request 1 finished",
          "the end of GET /song can't come before what comes before it at 70ms, so it comes at 70ms "
            + "and not at 51ms",
        ]
      ),
    ] as [([String], [String])])
  func whatFollowsKeepsItsDistance(moves: [String], history: [String]) {
    #expect(
      run(Moves(moves)) { world in
        world.network.stub(
          .get, "https://example.com/song",
          responses: .chunked(
            chunks: [.init("a"), .init("bc", after: .milliseconds(20))],
            latency: .milliseconds(10), end: .finish(after: .milliseconds(10))))
        load("song", in: world)
      } == history)
  }

  // MARK: The test's own script

  @Test(
    arguments: [
      ([], ["100ms console one", "200ms console two"]),
      (["action 1 to 300ms"], ["200ms console two", "300ms console one"]),
      (["action 2 to never"], ["100ms console one"]),
    ] as [([String], [String])])
  func anActionComesAtAnotherTime(moves: [String], history: [String]) {
    #expect(
      run(Moves(moves)) { world in
        for (index, word) in ["one", "two"].enumerated() {
          world.at(.milliseconds(100 * (index + 1))) {
            var console = world.console
            print(word, to: &console)
          }
        }
      } == history)
  }

  @Test(arguments: [
    (["input 1 value 1 to 25ms"], ["10ms b", "25ms a", "30ms finished"]),
    (["the end of input 1 to 90ms"], ["0 a", "10ms b", "90ms finished"]),
    // A value can't follow the end, and the end can't come before a value.
    (["input 1 value 1 to 99ms"], ["10ms b", "30ms a", "30ms finished"]),
    (["the end of input 1 to 5ms"], ["0 a", "10ms b", "10ms finished"]),
    // Both can come earlier.
    (["input 1 value 2 to 4ms", "the end of input 1 to 5ms"], ["0 a", "4ms b", "5ms finished"]),
    (["input 1 value 2 to 7ms", "the end of input 1 to 5ms"], ["0 a", "5ms b", "5ms finished"]),
    // One that doesn't come at all follows nothing.
    (["input 1 value 2 to never"], ["0 a", "30ms finished"]),
    // A copy of a value is one more value, in any order.
    (["input 1 value 2 copy 1 to 4ms"], ["0 a", "4ms b", "10ms b", "30ms finished"]),
    (
      ["input 1 value 1 copy 7 to 12ms", "input 1 value 1 copy 2 to 0", "input 1 value 1 to 20ms"],
      ["0 a", "10ms b", "12ms a", "20ms a", "30ms finished"]
    ),
    (["input 1 value 1 copy 1 to 99ms"], ["0 a", "10ms b", "30ms a", "30ms finished"]),
    (["input 1 value 1 copy 1 to never"], ["0 a", "10ms b", "30ms finished"]),
    // There are no such copies.
    (["input 1 value 3 copy 1 to 4ms"], ["0 a", "10ms b", "30ms finished"]),
    (["input 1 value 1 copy 0 to 4ms"], ["0 a", "10ms b", "30ms finished"]),
    (["the end of input 1 copy 1 to 4ms"], ["0 a", "10ms b", "30ms finished"]),
  ])
  func anInputSendsAtAnotherTime(moves: [String], history: [String]) {
    for isHot in [true, false] {
      let events = Locked<[String]>([])
      withWorld(moving: Moves(moves), onProblem: { _ in }) { world in
        let timed: [TimedEvent<String, Never>] = [
          .value("a", at: .zero), .value("b", at: .milliseconds(10)),
          .finished(at: .milliseconds(30)),
        ]
        let source: AnyPublisher<String, Never> =
          isHot
          ? world.clock.hot(timed).eraseToAnyPublisher()
          : world.clock.cold(timed).eraseToAnyPublisher()
        source.sink { _ in
          events.withLock { $0.append("\(world.clock.now) finished") }
        } receiveValue: { value in
          events.withLock { $0.append("\(world.clock.now) \(value)") }
        }
        .store(in: &world.cancellables)
        world.run()
      }
      #expect(events.withLock { $0 } == history, "\(isHot ? "hot" : "cold")")
    }
  }

  /// Each subscription has its own values, and the second one is `#2`.
  @Test func aColdInputIsMovedForOneSubscriber() {
    #expect(
      run("input 1 value 1 #2 to 70ms") { world in
        let source = world.clock.cold([TimedEvent<String, Never>.value("a", at: .milliseconds(10))])
        for name in ["first", "second"] {
          source.sink { value in
            var console = world.console
            print(name, value, to: &console)
          }
          .store(in: &world.cancellables)
        }
      } == ["10ms console first a", "70ms console second a"])
  }

  /// A program names its inputs. The second source of a name has a number, and so does the second
  /// subscription to one. A source without a name is counted with all others.
  @Test(
    arguments: [
      ("taps value 1", ["90ms taps a", "10ms taps #2 b", "10ms keys c", "10ms input 4 d"]),
      ("taps #2 value 1", ["10ms taps a", "90ms taps #2 b", "10ms keys c", "10ms input 4 d"]),
      ("the keys value 1", ["10ms taps a", "10ms taps #2 b", "90ms keys c", "10ms input 4 d"]),
      ("input 4 value 1", ["10ms taps a", "10ms taps #2 b", "10ms keys c", "90ms input 4 d"]),
    ] as [(String, [String])], [true, false])
  func aNamedInputIsMovedByItsName(moved: (address: String, history: [String]), isHot: Bool) {
    let lines = run(Moves(["\(moved.address) to 90ms"])) { world in
      func make(_ marbles: String, as name: String?) -> AnyPublisher<String, Never> {
        let frame = VirtualTime.Interval.milliseconds(10)
        let source: AnyPublisher<String, Never> =
          isHot
          ? world.hot(marbles, frame: frame, as: name).eraseToAnyPublisher()
          : world.cold(marbles, frame: frame, as: name).eraseToAnyPublisher()
        return source
      }
      let sources = [
        ("taps", make("-a", as: "taps")), ("taps #2", make("-b", as: "taps")),
        // Spaces are those of a move.
        ("keys", make("-c", as: " the  keys\n")), ("input 4", make("-d", as: nil)),
      ]
      for (name, source) in sources {
        source.sink { value in
          var console = world.console
          print(name, value, to: &console)
        }
        .store(in: &world.cancellables)
      }
    }
    let words = { (line: String) in line.replacingOccurrences(of: "console ", with: "") }
    #expect(Set(lines.map(words)) == Set(moved.history))
  }

  /// Its name says which action has decided it, so it stays the same when actions change places.
  @Test(
    arguments: [
      ([], ["110ms console first", "220ms console second"]),
      (["action 1.1 to 300ms"], ["220ms console second", "300ms console first"]),
      (
        ["action 1 to 250ms", "action 1.1 to 300ms"],
        ["220ms console second", "300ms console first"]
      ),
    ] as [([String], [String])])
  func anActionInsideAnotherOneKeepsItsName(moves: [String], history: [String]) {
    #expect(
      run(Moves(moves)) { world in
        for (index, word) in ["first", "second"].enumerated() {
          let time = 100 * (index + 1)
          world.at(.milliseconds(time)) {
            world.at(.milliseconds(time + 10 * (index + 1))) {
              var console = world.console
              print(word, to: &console)
            }
          }
        }
      } == history)
  }

  @Test func twoServersHaveTheirHostsInTheirNames() {
    let lines = run("GET b.example.com/x to 90ms") { world in
      for (host, time) in [("a", 20), ("b", 30)] {
        let url = "https://\(host).example.com/x"
        world.network.stub(.get, url, responses: .status(200, after: .milliseconds(time)))
        world.session.dataTaskPublisher(for: URL(string: url)!)
          .sink(receiveCompletion: { _ in }) { _ in }
          .store(in: &world.cancellables)
      }
    }
    #expect(
      lines.filter { $0.hasSuffix("OK") } == ["20ms request 1 200 OK", "90ms request 2 200 OK"])
  }

  // MARK: Mistakes

  @Test func aThingThatIsMovedTwiceIsReported() {
    #expect(
      run(["action 1 to 1ms", "action 1 to 2ms"]) { world in
        world.at(.zero) {
          var console = world.console
          print("done", to: &console)
        }
      } == ["1ms console done", "\"action 1\" is moved twice: move it once"])
  }

  @Test func anAddressThatIsNotThereListsTheOthers() {
    let lines = run("GET /b to 1ms") { world in
      world.network.stub(
        .get, "https://example.com/a", responses: .status(200, after: .milliseconds(20)))
      world.at(.milliseconds(5)) { load("a", in: world) }
      world.at(.milliseconds(30)) {
        var console = world.console
        print("refreshed\n  twice", to: &console)
      }
      let taps = PassthroughSubject<Int, Never>()
      taps.lane("taps").sink { _ in }.store(in: &world.cancellables)
      world.at(.milliseconds(40)) { taps.send(7) }
    }
    let line = #line - 9
    #expect(
      lines.last == """
        nothing here is called "GET /b". These things can be moved, and this is when they come:
          action 1 (MoveTests.swift:\(line)): 5ms
          action 2 (MoveTests.swift:\(line + 1)): 30ms, refreshed
          action 3 (MoveTests.swift:\(line + 7)): 40ms, taps value 7
          GET /a: 25ms
        """)
  }

  @Test func aResponseCannotComeBeforeItsRequest() {
    let lines = run("GET /a to 1ms") { world in
      world.network.stub(
        .get, "https://example.com/a", responses: .status(200, after: .milliseconds(20)))
      world.at(.milliseconds(5)) { load("a", in: world) }
    }
    #expect(
      lines == [
        "5ms request 1 200 OK", "5ms request 1 finished",
        "the response to GET /a can't come before its request at 5ms, so it comes at 5ms and not at"
          + " 1ms",
      ])
  }

  @Test(arguments: [
    ("GET /a", "write what to move, `to` and a time"),
    ("GET /a at 3ms", "write what to move, `to` and a time"),
    ("to 3ms", "write what to move, `to` and a time"),
    ("GET /a to 3", "after `to` comes a time in s, ms, us or ns, or `never`"),
    ("GET /a to -3ms", "after `to` comes a time in s, ms, us or ns, or `never`"),
  ])
  func aTextThatIsNoMoveIsReported(text: String, reason: String) {
    #expect(
      run(Moves([text])) { _ in } == [
        "\"\(text)\" isn't a move: \(reason), such as \"GET /search?q=sw to 300ms\""
      ])
  }

  /// A move can lead to more requests than usual, and to fewer.
  @Test func aMoveMayNeedMoreResponses() {
    #expect(
      run("action 1 to never") { world in
        world.network.stub(.get, "https://example.com/a", responses: .status(200))
        world.at(.zero) { load("a", in: world) }
      } == [])
    #expect(
      run("GET /a to 30ms") { world in
        world.network.stub(
          .get, "https://example.com/a", responses: .status(200, after: .milliseconds(10)))
        world.at(.zero) { load("a", in: world) }
        world.at(.milliseconds(20)) {
          if !world.transcript.contains("200 OK") { load("a", in: world) }
        }
      }.count { $0.hasSuffix("200 OK") } == 2)
  }
}
