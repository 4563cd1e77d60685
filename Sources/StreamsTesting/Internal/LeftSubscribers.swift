import Streams
import VirtualWorld

/// The subscribers that code in a world made with `sink` and `assign`, and where it made them.
///
/// ## What counts as a leak
///
/// A subscription that's alive when its world ends proves nothing, because something may hold it
/// that is meant to live longer: a property of an XCTest case, which XCTest keeps until the end of
/// the run, a shared object, or a variable outside `withWorld`. But a cycle can be told from these:
/// a subscription whose closure keeps the object that stores it is released when its closures are.
/// So each one that's left is cancelled, which releases its closures. If that alone releases it,
/// nothing else has held it, and it's reported, with all that it took along.
///
/// The initializer of a global or static variable runs once for all tests. So its subscriptions are
/// left alone.
final class LeftSubscribers: Sendable {
  private struct Entry {
    weak var subscriber: (any ObservedSubscriber)?
    let site: CallSite
  }

  private struct Weak {
    weak var subscribers: LeftSubscribers?
  }

  // The world keeps them, so they are released with it, even if its test throws.
  private static let byWorld = Locked<[ObjectIdentifier: Weak]>([:])

  // Set up by the first world.
  private static let isObserving: Void = SubscriberObservation.begin(
    makeRunner: { World.here == nil ? nil : CallSite().runnerOfRequests() }
  ) { subscriber in
    guard let world = World.here,
      let subscribers = byWorld.withLock({ $0[ObjectIdentifier(world)]?.subscribers })
    else { return }
    subscribers.add(subscriber)
  }

  private let world: ObjectIdentifier
  private let entries = Locked<[Entry]>([])

  /// Records the subscribers of a world, and reports those that are left when it ends.
  static func watch(_ world: World) {
    isObserving
    let subscribers = LeftSubscribers(of: world)
    byWorld.withLock { $0[subscribers.world] = Weak(subscribers: subscribers) }
    world.atEnd { [weak world] in subscribers.end { world?.settle() } }
  }

  private init(of world: World) { self.world = ObjectIdentifier(world) }

  deinit { Self.byWorld.withLock { _ = $0.removeValue(forKey: world) } }

  private func add(_ subscriber: any ObservedSubscriber) {
    let site = CallSite()
    entries.withLock { entries in
      entries.append(Entry(subscriber: subscriber, site: site))
      // Forget the released ones from time to time, so that the list doesn't grow without end.
      if entries.count.isMultiple(of: 1_024) { entries.removeAll { $0.subscriber == nil } }
    }
  }

  /// Ends the subscriptions that are left, and returns a problem for each place that made some
  /// which kept themselves alive.
  ///
  /// - Parameter settle: Runs what a cancellation sends to a queue.
  private func end(settle: () -> Void) -> [World.Problem] {
    let left = entries.withLock { $0 }.filter {
      $0.subscriber?.isActive == true && !$0.site.isInGlobalInitializer
    }
    var living = Array(left.indices)
    var leaks: [Int] = []
    for index in left.indices where Self.cancel(left[index]) {
      settle()
      let released = living.filter { left[$0].subscriber == nil }
      if released.isEmpty { continue }
      living.removeAll { left[$0].subscriber == nil }
      // If not, its closures have kept others, and something else keeps them all.
      if released.contains(index) { leaks += released }
    }
    return Self.problems(leaks.sorted().map { left[$0] })
  }

  /// - Returns: Whether it was there. It isn't kept when this returns.
  @inline(never)
  private static func cancel(_ entry: Entry) -> Bool {
    guard let subscriber = entry.subscriber else { return false }
    subscriber.cancel()
    return true
  }

  /// One problem for each place.
  private static func problems(_ leaks: [Entry]) -> [World.Problem] {
    var counts: [(source: World.Problem.Source?, count: Int)] = []
    for entry in leaks {
      let source = entry.site.source
      if let index = counts.firstIndex(where: { $0.source == source }) {
        counts[index].count += 1
      } else {
        counts.append((source, 1))
      }
    }
    return counts.map { source, count in
      World.Problem(message: message(count, at: source), source: source)
    }
  }

  private static func message(_ count: Int, at source: World.Problem.Source?) -> String {
    let place = source.map { "made at \($0.fileName):\($0.line)" } ?? "of unknown origin"
    return count == 1
      ? "a subscription \(place) is still alive, and only its own closures hold it: capture weakly "
        + "what stores it, as with [weak self], or cancel it"
      : "\(count) subscriptions \(place) are still alive, and only their own closures hold them: "
        + "capture weakly what stores them, as with [weak self], or cancel them"
  }
}
