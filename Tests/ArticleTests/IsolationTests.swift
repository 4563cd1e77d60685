import StreamsFoundation
import StubNetwork
import Testing

// The code in docs/threads-and-isolation.md, and its tests.

// region: silent
@MainActor
final class Shelf {
  private(set) var titles: [String] = []
  private(set) var wasOnMain: [Bool] = []

  // Compiles in Swift 6 without a warning, and runs on any thread that the publisher delivers on.
  func follow(_ titles: some Publisher<String, Never>) -> AnyCancellable {
    titles.sink { title in
      self.titles.append(title)
      self.wasOnMain.append(isOnMainQueue())
    }
  }
}
// endregion

extension Shelf {
  func add(_ title: String) {
    titles.append(title)
    wasOnMain.append(isOnMainQueue())
  }
}

// region: main-queue
extension Shelf {
  func followOnMainQueue(_ titles: some Publisher<String, Never>) -> AnyCancellable {
    titles
      .receive(on: DispatchQueue.main)
      .sink { @Sendable title in
        MainActor.assumeIsolated { self.add(title) }
      }
  }
}
// endregion

// region: task
extension Shelf {
  func followInTasks(_ titles: some Publisher<String, Never>) -> AnyCancellable {
    titles.sink { @Sendable title in
      Task { @MainActor in self.add(title) }
    }
  }
}
// endregion

private let mainQueueKey = DispatchSpecificKey<Bool>()

/// Returns whether this code runs on the main queue.
///
/// On Linux, once a program awaits, Dispatch's own threads serve the main queue. They aren't the
/// main thread, and the main actor checks the queue.
private func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

// While a test awaits, the main actor and the main queue are served. If a value never comes, the
// time limit ends the test.
@Suite(.timeLimit(.minutes(15))) @MainActor struct IsolationTests {
  let shelf = Shelf()
  let subject = PassthroughSubject<String, Never>()

  init() { DispatchQueue.main.setSpecific(key: mainQueueKey, value: true) }

  /// Sends titles on a second queue, and waits until they're sent.
  private func sendElsewhere(_ titles: String...) {
    let queue = DispatchQueue(label: "elsewhere")
    queue.async { [subject] in
      for title in titles { subject.send(title) }
    }
    queue.sync {}
  }

  private func waitForTitles(_ count: Int) async {
    while shelf.titles.count < count { await Task.yield() }
  }

  @Test func aClosureFormedOnTheMainActorRunsWhereverItIsCalled() {
    let cancellable = shelf.follow(subject)
    sendElsewhere("Sketch", "Notes")
    #expect(shelf.titles == ["Sketch", "Notes"])
    #expect(shelf.wasOnMain == [false, false])
    cancellable.cancel()
  }

  @Test func aDeliveryOnTheMainQueueMayAssumeTheMainActor() async {
    let cancellable = shelf.followOnMainQueue(subject)
    sendElsewhere("Sketch", "Notes")
    await waitForTitles(2)
    #expect(shelf.titles == ["Sketch", "Notes"])
    #expect(shelf.wasOnMain == [true, true])
    cancellable.cancel()
  }

  @Test func aCancellationDropsADeliveryOnTheMainQueue() async {
    let cancellable = shelf.followOnMainQueue(subject)
    // This runs on the main queue, so the delivery has to wait.
    subject.send("Sketch")
    cancellable.cancel()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(shelf.titles == [])
  }

  @Test func tasksOnTheMainActorRunOnTheMainQueue() async {
    let cancellable = shelf.followInTasks(subject)
    sendElsewhere("Sketch", "Notes")
    await waitForTitles(2)
    #expect(shelf.titles == ["Sketch", "Notes"])
    #expect(shelf.wasOnMain == [true, true])
    cancellable.cancel()
  }

  @Test func aStartedTaskRunsEvenAfterACancellation() async {
    let cancellable = shelf.followInTasks(subject)
    subject.send("Sketch")
    cancellable.cancel()
    #expect(shelf.titles == [])
    await waitForTitles(1)
    #expect(shelf.titles == ["Sketch"])
  }

  @Test func aDelegateOnTheMainActorUpdatesItsStateOnTheMainQueue() async {
    let stub = StubbedLibrary()
    let url = library + "/pages/1"
    stub.network.stub(
      .get, url,
      responses: .chunked(chunks: [.init("Sket"), .init("ch", after: .milliseconds(5))]))
    let page = Page()
    page.load(URL(string: url)!) { stub.network.makeSession(delegate: $0) }
    stub.clock.run()
    // All callbacks have run. Their blocks wait for the main queue, which this test occupies.
    #expect(page.isLoading)
    while page.isLoading { await Task.yield() }
    #expect(page.text == "Sketch")
  }

  @Test func assumingTheMainActorOnAnotherThreadEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      await assumeElsewhere()
    }
  }
}

private func assumeElsewhere() async {
  let delivery = { @Sendable in MainActor.assumeIsolated {} }
  await Task.detached { delivery() }.value
}
