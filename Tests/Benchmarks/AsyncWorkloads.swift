import Foundation
import Streams

/// A loop over the values of a publisher, compared with a loop over an asynchronous sequence that
/// counts by asking an actor for each number.
enum AsyncWorkloads {
  static var all: [Workload] {
    let count = 50_000
    return [
      Workload(
        name: "sequence, values, for await", values: count, target: 3,
        loop: {
          waiting {
            for await value in Numbers(count: count) { Closures.total &+= value }
          }
        },
        streams: {
          waiting {
            for await value in (0..<count).publisher.values { Closures.total &+= value }
          }
        })
    ]
  }

  /// Runs an asynchronous closure, and waits until it has returned.
  private static func waiting(_ body: @escaping @Sendable () async -> Void) {
    let hasEnded = DispatchSemaphore(value: 0)
    Task {
      await body()
      hasEnded.signal()
    }
    hasEnded.wait()
  }
}

/// The numbers from 0, each made by an actor.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol {
  actor Counter {
    private var next = 0

    func count() -> Int {
      defer { next += 1 }
      return next
    }
  }

  let count: Int
  private let counter = Counter()

  init(count: Int) { self.count = count }

  func makeAsyncIterator() -> Numbers { self }

  func next() async -> Int? {
    let number = await counter.count()
    return number < count ? number : nil
  }
}
