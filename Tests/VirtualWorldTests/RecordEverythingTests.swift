import StreamsTesting
import TestSupport
import Testing

/// `OperatorPagesTests` show for each operator that these lanes change nothing.
@Suite struct RecordEverythingTests {
  private struct Model {
    let queries = PassthroughSubject<String, Never>()
    let rows = CurrentValueSubject<String, Never>("")

    func search(_ session: URLSession) -> AnyCancellable {
      queries
        .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
        .map { query in
          session.dataTaskPublisher(for: URL(string: "https://example.com/\(query)")!)
            .map { String(decoding: $0.data, as: UTF8.self) }
            .replaceError(with: "nothing")
            .eraseToAnyPublisher()
        }
        .switchToLatest()
        .sink { rows.send($0) }
    }
  }

  private static func run(in world: World) {
    world.network.stub(
      .get, "https://example.com/swift", responses: .text("Swift", after: .milliseconds(100)))
    let model = Model()
    model.search(world.session).store(in: &world.cancellables)
    model.rows.filter { $0 != "" }.lane("shown").sink { _ in }.store(in: &world.cancellables)
    world.at(.milliseconds(10)) { model.queries.send("swift") }
    world.run()
  }

  @Test func eachPublisherHasALane() {
    withWorld { world in
      world.recordEverything()
      Self.run(in: world)
      #expect(
        world.timeline.recording.marblesWithoutSigns() == """
                                       0ms   10ms   310ms        410ms
          request 1                                 ^------------(200, 5 B|)
          DataTaskPublisher                         ^------------(5 bytes|)
          map after DataTaskPublisher               ^------------(Swift|)
          replaceError                              ^------------(Swift|)
          switchToLatest               ^-------------------------Swift--------
          PassthroughSubject           ^-----swift----------------------------
          debounce                     ^------------swift---------------------
          map                          ^------------a publisher---------------
          CurrentValueSubject          (^A)----------------------Swift--------
          shown                        ^-------------------------Swift--------

            200  OK
            A    ""

          """)
    }
  }

  /// `switchToLatest` subscribes when it gets a publisher, which no line of the model does.
  @Test func theLinesAreThoseOfTheSubscribers() {
    withWorld { world in
      world.recordEverything()
      Self.run(in: world)
      let lines = world.timeline.recording.events.reduce(into: [String: Int?]()) { lines, event in
        guard event.kind == .subscription else { return }
        lines.updateValue(event.line?.line, forKey: event.lane.name)
      }
      #expect(
        lines == [
          "PassthroughSubject": Self.lineOfSink, "debounce": Self.lineOfSink,
          "map": Self.lineOfSink, "switchToLatest": Self.lineOfSink, "DataTaskPublisher": nil,
          "map after DataTaskPublisher": nil, "replaceError": nil,
          "CurrentValueSubject": Self.lineOfSink + 9, "shown": Self.lineOfSink + 9,
        ])
    }
  }

  private static let lineOfSink = 21

  @Test func otherWorldsAreNotRecorded() {
    withWorld { world in
      world.recordEverything()
      withWorld { other in
        Self.run(in: other)
        #expect(other.timeline.recording.lanes.map(\.name) == ["shown", "request 1"])
      }
      #expect(world.timeline.recording.events.isEmpty)
    }
    withWorld { world in
      Self.run(in: world)
      #expect(world.timeline.recording.lanes.map(\.name) == ["shown", "request 1"])
    }
  }

  /// Without its lane, nothing would have noticed the value.
  @Test func whatComesFromOutsideIsNoProblemInSuchALane() async {
    let found = await problems { world in
      world.recordEverything()
      let numbers = PassthroughSubject<Int, Never>()
      numbers.map { $0 + 1 }.sink { _ in }.store(in: &world.cancellables)
      await Task.detached { numbers.send(1) }.value
    }
    #expect(found == [])
  }
}
