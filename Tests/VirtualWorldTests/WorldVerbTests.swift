import StreamsTesting
import TestSupport
import Testing

/// A test with debounce, a network call and the main queue gives one record, however time moves.
@Suite struct WorldVerbTests {
  struct Verb: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let move: @Sendable (World) -> Void

    init(_ name: String, _ move: @escaping @Sendable (World) -> Void) {
      testDescription = name
      self.move = move
    }
  }

  static let verbs = [
    Verb("advance") { $0.advance(by: .seconds(1)) },
    Verb("advance to") { $0.advance(to: .seconds(1)) },
    Verb("advance in steps of 1 ms") { world in
      for _ in 1...1_000 { world.advance(by: .milliseconds(1)) }
    },
    Verb("run") { $0.run() },
    Verb("run until") { $0.run(until: .seconds(1)) },
    Verb("run while") { $0.run { true } },
    Verb("step") { while $0.step() != nil {} },
    Verb("the clock's run") { $0.clock.run() },
    Verb("the clock's step") { while $0.clock.step() != nil {} },
  ]

  /// Types two queries, the second one soon after the first.
  private func search(in world: World, _ verb: Verb) -> String {
    world.network.stub(
      .get, "https://example.com/swift", responses: .text("found", after: .milliseconds(100)))
    let model = SearchModel(session: world.session) {
      $0.recorded(as: "query", on: world.timeline).eraseToAnyPublisher()
    }
    model.query.send("sw")
    world.at(.milliseconds(50)) { model.query.send("swift") }
    verb.move(world)
    #expect(model.shown == ["found"])
    return world.transcript
  }

  static let record = """
      0ms  query      subscribed
      0ms  query      request unlimited
    350ms  query      value swift  [main]
    350ms  request 1  GET https://example.com/swift
    450ms  request 1  200 OK
    450ms  request 1  5 bytes
    450ms  request 1  finished

    """

  @Test(arguments: verbs)
  func everyVerbGivesTheSameRecord(verb: Verb) {
    withWorld { #expect(search(in: $0, verb) == Self.record) }
  }

  @MainActor @Test(arguments: verbs)
  func everyVerbGivesTheSameRecordOnTheMainActor(verb: Verb) {
    withWorld { #expect(search(in: $0, verb) == Self.record) }
  }

  @Test(.world, arguments: verbs)
  func everyVerbGivesTheSameRecordWithTheTrait(verb: Verb) async throws {
    let world = try World.current
    await Task.yield()
    #expect(search(in: world, verb) == Self.record)
  }

  @MainActor @Test(.world, arguments: verbs)
  func everyVerbGivesTheSameRecordInAnAsyncTestOnTheMainActor(verb: Verb) async throws {
    let world = try World.current
    await Task.yield()
    #expect(search(in: world, verb) == Self.record)
  }

  @Test func aThousandWorldsInParallelGiveTheSameRecord() async {
    let records = await withTaskGroup(of: String.self) { group in
      for index in 0..<1_000 {
        let verb = Self.verbs[index % Self.verbs.count]
        group.addTask {
          index.isMultiple(of: 9)
            ? await onMainActor { search(in: $0, verb) } : withWorld { search(in: $0, verb) }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(records == [Self.record: 1_000])
  }

  @MainActor private func onMainActor(_ body: @Sendable (World) -> String) -> String {
    withWorld(body)
  }
}
