import Synchronization

/// Where one thread at a time is meant to be; it counts who is not alone.
package final class Room: Sendable {
  private let inside = Atomic<Int>(0)
  private let count = Atomic<Int>(0)

  package init() {}

  /// How many visitors have met another.
  package var encounters: Int { count.load(ordering: .relaxed) }

  /// Stays for a while, so that another has time to come in.
  package func visit() {
    var isAlone = inside.wrappingAdd(1, ordering: .relaxed).oldValue == 0
    for _ in 0..<2000 where isAlone { isAlone = inside.load(ordering: .relaxed) == 1 }
    if !isAlone { count.wrappingAdd(1, ordering: .relaxed) }
    inside.wrappingSubtract(1, ordering: .relaxed)
  }
}
