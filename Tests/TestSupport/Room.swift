import Synchronization

/// A place that only one thread at a time should visit. It counts visits that overlap.
package final class Room: Sendable {
  private let inside = Atomic<Int>(0)
  private let count = Atomic<Int>(0)

  package init() {}

  /// How many visits overlapped with another one.
  package var encounters: Int { count.load(ordering: .relaxed) }

  /// Visits the room for a moment, so that another thread has time to enter.
  package func visit() {
    var isAlone = inside.wrappingAdd(1, ordering: .relaxed).oldValue == 0
    for _ in 0..<2000 where isAlone { isAlone = inside.load(ordering: .relaxed) == 1 }
    if !isAlone { count.wrappingAdd(1, ordering: .relaxed) }
    inside.wrappingSubtract(1, ordering: .relaxed)
  }
}
