import StreamsFoundation
import StubNetwork
import Testing

// What docs/threads-and-isolation.md shows, and the tests that hold it.

// region: silent
@MainActor
final class Shelf {
  private(set) var titles: [String] = []
  private(set) var wasOnMain: [Bool] = []

  // Compiles in Swift 6 without a word, and runs wherever the publisher delivers.
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

/// Once a program awaits, it is threads of Dispatch that serve the main queue on Linux: they are
/// not the main thread, and it is the queue that counts for the main actor.
private func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

// The main actor is served while a test awaits, and so is the main queue. What never comes ends in
// the time limit.
@Suite(.timeLimit(.minutes(1))) @MainActor struct IsolationTests {
  let shelf = Shelf()
  let subject = PassthroughSubject<String, Never>()

  init() { DispatchQueue.main.setSpecific(key: mainQueueKey, value: true) }

  /// Sends from another queue, and waits for that.
  private func sendElsewhere(_ titles: String...) {
    // Nobody else sends meanwhile.
    nonisolated(unsafe) let subject = subject
    let queue = DispatchQueue(label: "elsewhere")
    queue.async {
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

  @Test func whatIsReceivedOnTheMainQueueMayAssumeTheMainActor() async {
    let cancellable = shelf.followOnMainQueue(subject)
    sendElsewhere("Sketch", "Notes")
    await waitForTitles(2)
    #expect(shelf.titles == ["Sketch", "Notes"])
    #expect(shelf.wasOnMain == [true, true])
    cancellable.cancel()
  }

  @Test func whatIsReceivedOnTheMainQueueIsDroppedAfterACancellation() async {
    let cancellable = shelf.followOnMainQueue(subject)
    // The main queue is here, and has to wait.
    subject.send("Sketch")
    cancellable.cancel()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(shelf.titles == [])
  }

  @Test func tasksOnTheMainActorRunThere() async {
    let cancellable = shelf.followInTasks(subject)
    sendElsewhere("Sketch", "Notes")
    await waitForTitles(2)
    #expect(shelf.titles == ["Sketch", "Notes"])
    #expect(shelf.wasOnMain == [true, true])
    cancellable.cancel()
  }

  @Test func aTaskThatIsOnItsWayRunsAfterACancellation() async {
    let cancellable = shelf.followInTasks(subject)
    subject.send("Sketch")
    cancellable.cancel()
    #expect(shelf.titles == [])
    await waitForTitles(1)
    #expect(shelf.titles == ["Sketch"])
  }

  @Test func aDelegateOnTheMainActorHandsItsStateToTheMainQueue() async {
    let stub = StubbedLibrary()
    let address = library + "/pages/1"
    stub.network.stub(
      .get, address,
      responses: .chunked(chunks: [.init("Sket"), .init("ch", after: .milliseconds(5))]))
    let page = Page()
    page.load(URL(string: address)!) { stub.network.makeSession(delegate: $0) }
    stub.network.run()
    // All callbacks have come; their blocks wait for the main queue, which is here.
    #expect(page.isLoading)
    while page.isLoading { await Task.yield() }
    #expect(page.text == "Sketch")
  }

  @Test func assumingTheMainActorElsewhereEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      await assumeElsewhere()
    }
  }
}

private func assumeElsewhere() async {
  let delivery = { @Sendable in MainActor.assumeIsolated {} }
  await Task.detached { delivery() }.value
}
