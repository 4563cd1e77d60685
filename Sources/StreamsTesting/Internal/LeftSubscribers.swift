import Streams
import VirtualWorld

/// The subscribers that code in a world made with `sink` and `assign`, and where it made them.
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
    world.atEnd { subscribers.problems }
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

  /// One problem for each place that made subscribers that still have their subscription.
  private var problems: [World.Problem] {
    let left = entries.withLock { $0 }.filter { $0.subscriber?.hasSubscription == true }
    var counts: [(source: World.Problem.Source?, count: Int)] = []
    for entry in left {
      let source = entry.site.source
      if let index = counts.firstIndex(where: { $0.source == source }) {
        counts[index].count += 1
      } else {
        counts.append((source, 1))
      }
    }
    return counts.map { source, count in
      World.Problem(message: Self.message(count, at: source), source: source)
    }
  }

  private static func message(_ count: Int, at source: World.Problem.Source?) -> String {
    let place = source.map { "made at \($0.fileName):\($0.line)" } ?? "of unknown origin"
    return count == 1
      ? "a subscription \(place) is still alive: cancel it, release what holds it, or store it in "
        + "world.cancellables"
      : "\(count) subscriptions \(place) are still alive: cancel them, release what holds them, or "
        + "store them in world.cancellables"
  }
}
