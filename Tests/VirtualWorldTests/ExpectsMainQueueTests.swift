import StreamsTesting
import Testing

/// A world knows what would arrive off the main queue in an app, although one thread does all here.
@Suite struct ExpectsMainQueueTests {
  private final class Model: ObservableObject {
    @Published var name = ""
    private var subscriptions: Set<AnyCancellable> = []

    func load<S: Scheduler>(in world: World, on scheduler: S?) {
      let url = "https://example.com/name"
      world.network.stub(.get, url, responses: .text("Ada", after: .milliseconds(100)))
      let names = world.session.dataTaskPublisher(for: URL(string: url)!)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .replaceError(with: "no name")
      let arriving =
        scheduler.map { names.receive(on: $0).eraseToAnyPublisher() }
        ?? names.eraseToAnyPublisher()
      arriving.sink { [weak self] in self?.name = $0 }.store(in: &subscriptions)
    }
  }

  private static let lineOfSink = #line - 4
  private static let advice = "Put receive(on: DispatchQueue.main) in front of what sends it"

  private func problems<S: Scheduler>(on scheduler: S?) -> [String] {
    VirtualWorldTests.problems { world in
      let model = Model()
      world.expectsMainQueue(for: model.$name)
      model.load(in: world, on: scheduler)
      world.run()
      #expect(model.name == "Ada")
    }
  }

  @Test(arguments: [true, false])
  func aResponseOffTheMainQueueIsAProblem(isOnMainActor: Bool) async {
    let line = #line - 9
    let found =
      isOnMainActor
      ? await MainActor.run { problems(on: DispatchQueue?.none) }
      : problems(on: DispatchQueue?.none)
    #expect(
      found == [
        "ExpectsMainQueueTests.swift:\(line): the value \"Ada\" arrived off the main queue at 100ms, "
          + "sent at ExpectsMainQueueTests.swift:\(Self.lineOfSink): from request 1, on the session's "
          + "queue. \(Self.advice)"
      ])
  }

  @Test func anotherQueueIsAProblem() {
    let found = problems(on: DispatchQueue(label: "parsing"))
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix(": on the queue \"parsing\". \(Self.advice)") == true)
  }

  @Test(arguments: [true, false])
  func theMainQueueIsNone(isOnMainActor: Bool) async {
    let found =
      isOnMainActor
      ? await MainActor.run { problems(on: DispatchQueue.main) }
      : problems(on: DispatchQueue.main)
    #expect(found == [])
  }

  /// Many tests aren't on the main actor, and their code isn't either.
  @Test func theTestItselfMaySendAnywhere() {
    let found = VirtualWorldTests.problems { world in
      let model = Model()
      world.expectsMainQueue(for: model.$name)
      world.expectsMainQueue(for: model.objectWillChange)
      model.name = "in the body"
      world.at(.milliseconds(1)) { model.name = "at 1 ms" }
      world.hot("--a|").sink { model.name = $0 }.store(in: &world.cancellables)
      world.run()
    }
    #expect(found == [])
  }

  @Test func objectWillChangeIsWatchedToo() {
    let found = VirtualWorldTests.problems { world in
      let model = Model()
      world.expectsMainQueue(for: model.objectWillChange)
      model.load(in: world, on: DispatchQueue?.none)
      world.run()
    }
    #expect(found.count == 1)
    #expect(found.first?.contains(": a value arrived off the main queue at 100ms") == true)
  }

  @Test func completionsCountAndSoDoFurtherValues() {
    let found = VirtualWorldTests.problems { world in
      world.expectsMainQueue(
        for: ["a", "b"].publisher.receive(on: DispatchQueue(label: "letters")))
      world.run()
    }
    #expect(found.count == 1)
    #expect(
      found.first?.contains(": the value \"a\" and 2 more arrived off the main queue at 0") == true)
  }

  @Test func attachedQueuesAndTasksAreOffTheMainQueue() async {
    let found = await VirtualWorldTests.problems { world in
      let names = PassthroughSubject<String, Never>()
      world.expectsMainQueue(for: names)
      let queue = DispatchQueue(label: "attached")
      world.attach(queue)
      queue.async { names.send("a") }
      world.run()
      world.expectsMainQueue(for: names)
      await Task.detached { names.send("b") }.value
    }
    #expect(found.count == 2)
    #expect(found.first?.contains("on an attached queue") == true)
    #expect(found.last?.contains(": in a Task. Put receive(on:") == true)
  }

  @Test func theMainActorIsOnTheMainQueue() async {
    let found = await VirtualWorldTests.problems { world in
      let names = PassthroughSubject<String, Never>()
      world.expectsMainQueue(for: names)
      await Task { @MainActor in names.send("a") }.value
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          names.send("b")
          continuation.resume()
        }
      }
    }
    #expect(found == [])
  }

  /// An order in which it arrives elsewhere is another outcome.
  @Test func itIsPartOfAnOutcome() {
    let found = IssueLog.messages {
      expectSameInEveryOrder { world in
        let names = PassthroughSubject<String, Never>()
        world.expectsMainQueue(for: names)
        let isFirst = Locked(true)
        for queue in ["one", "two"].map({ DispatchQueue(label: $0) }) {
          Just(queue.label).receive(on: queue).sink { label in
            guard isFirst.withLock({ $0 && label == "two" }) else {
              return isFirst.withLock { $0 = false }
            }
            names.send(label)
          }
          .store(in: &world.cancellables)
        }
        world.run()
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("the value \"two\" arrived off the main queue") == true)
  }
}
