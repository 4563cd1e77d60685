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
  @Test @MainActor func aClosureFormedOnTheMainActorRunsWhereverItIsCalled() async {
    let queue = DispatchQueue(label: "elsewhere")
    queue.setSpecific(key: label, value: "elsewhere")
    // Only the queue sends, and the test waits for it.
    nonisolated(unsafe) let subject = PassthroughSubject<String, Never>()
    let shelf = Shelf()
    shelf.follow(subject)
    await withCheckedContinuation { continuation in
      queue.async {
        subject.send("Sketch")
        continuation.resume()
      }
    }
    #expect(shelf.titles == ["Sketch"])
    #expect(shelf.calledOn == ["elsewhere"])
  }

  @Test @MainActor func aTaskOnTheMainActorRunsThere() async {
    // Only the detached task sends, and the test waits for it.
    nonisolated(unsafe) let subject = PassthroughSubject<String, Never>()
    let shelf = Shelf()
    let cancellable = shelf.followSafely(subject)
    await Task.detached { subject.send("Sketch") }.value
    // Tasks of one priority on the main actor run in order: this one is behind that of the sink.
    while shelf.titles.isEmpty { await Task.yield() }
    #expect(shelf.titles == ["Sketch"])
    cancellable.cancel()
  }
}
