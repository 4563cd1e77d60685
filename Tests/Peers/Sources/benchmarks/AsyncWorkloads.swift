import Foundation
import Streams

/// A loop over the values of a publisher, compared with one over Swift's own `AsyncStream`.
///
/// Both make each value when the loop asks for it, and end when the task is cancelled. The handler
/// of a cancellation alone costs more than an asynchronous call does. So a loop that only calls an
/// actor, and goes on when it's cancelled, would be another kind of work.
enum AsyncWorkloads {
  static var all: [Workload] {
    let count = 50_000
    return [
      Workload(
        name: "sequence, values, for await", values: count, target: 1.5,
        loop: {
          waiting {
            let counter = Counter()
            let numbers = AsyncStream { counter.next(below: count) }
            for await value in numbers { Closures.total &+= value }
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

private final class Counter: Sendable {
  // Asked by one task only, one call at a time.
  nonisolated(unsafe) private var count = 0

  func next(below end: Int) -> Int? {
    guard count < end else { return nil }
    defer { count += 1 }
    return count
  }
}
