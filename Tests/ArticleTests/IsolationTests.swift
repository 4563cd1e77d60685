import StreamsFoundation
import Testing

// What docs/threads-and-isolation.md shows.

// region: silent
@MainActor
final class Shelf {
  private(set) var titles: [String] = []
  private(set) var calledOn: [String] = []
  private var cancellable: AnyCancellable?

  // Compiles in Swift 6 without a word, and runs wherever the publisher delivers.
  func follow(_ titles: some Publisher<String, Never>) {
    cancellable = titles.sink { title in
      self.titles.append(title)
      self.calledOn.append(queueLabel())
    }
  }
}
// endregion

// region: task
extension Shelf {
  func followSafely(_ titles: some Publisher<String, Never>) -> AnyCancellable {
    titles.sink { @Sendable title in
      Task { @MainActor in self.add(title) }
    }
  }
}
// endregion

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

extension Shelf {
  func add(_ title: String) { titles.append(title) }
}

private let label = DispatchSpecificKey<String>()

private func queueLabel() -> String { DispatchQueue.getSpecific(key: label) ?? "no queue of ours" }

@Suite struct IsolationTests {
  @Test @MainActor func aClosureFormedOnTheMainActorRunsWhereverItIsCalled() {
    let shelf = Shelf()
    send("Sketch") { shelf.follow($0) }
    #expect(shelf.titles == ["Sketch"])
    #expect(shelf.calledOn == ["elsewhere"])
  }

  @Test @MainActor func aTaskOnTheMainActorRunsThere() async {
    let shelf = Shelf()
    var cancellable: AnyCancellable?
    send("Sketch") { cancellable = shelf.followSafely($0) }
    while shelf.titles.isEmpty { await Task.yield() }
    #expect(shelf.titles == ["Sketch"])
    cancellable?.cancel()
  }

  /// Sends a value to a subject from a queue, after a subscriber has been attached to it here.
  @MainActor private func send(
    _ title: String, _ attach: (PassthroughSubject<String, Never>) -> Void
  ) {
    let queue = DispatchQueue(label: "elsewhere")
    queue.setSpecific(key: label, value: "elsewhere")
    // The queue sends only when the subscriber is attached, and this waits for it.
    nonisolated(unsafe) let subject = PassthroughSubject<String, Never>()
    attach(subject)
    queue.async { subject.send(title) }
    queue.sync {}
  }
}
