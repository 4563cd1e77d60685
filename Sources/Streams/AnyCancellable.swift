import Synchronization

/// An object that cancels an activity when you cancel or release it, whichever comes first.
///
/// You can call `cancel()` from any thread. Two instances are equal if they're the same object.
/// Follows Combine's `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline let isCancelled = Atomic<Bool>(false)

  // Only touched by `init`, by the one thread that sets `isCancelled` to true, and by `deinit`.
  @exclusivity(unchecked) @usableFromInline var onCancel: (() -> Void)?

  /// Creates a cancellable that runs a closure when it's cancelled or released.
  ///
  /// - Parameter cancel: Runs at most once, and is released after that.
  public init(_ cancel: @escaping () -> Void) { onCancel = cancel }

  /// Creates a cancellable that cancels another one when it's cancelled or released, and keeps that
  /// one alive until then.
  ///
  /// - Parameter canceller: The cancellable to cancel.
  // The closure of an object needs no memory of its own, because it captures nothing else.
  @inlinable
  public init<C>(_ canceller: C) where C: Cancellable { onCancel = { canceller.cancel() } }

  // No other thread has this object any more.
  deinit { onCancel?() }

  /// Cancels. Calling it again has no effect.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel.take()?()
  }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Feeds the object's identity to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// `@unchecked`: the atomic exchange lets one thread touch the closure.
extension AnyCancellable: @unchecked Sendable {}

extension AnyCancellable {
  /// Stores this cancellable in a collection, so that removing it from there cancels it.
  ///
  /// - Parameter collection: The collection to add it to. Access isn't synchronised: use one thread
  ///   at a time.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this cancellable in a set, so that removing it from there cancels it.
  ///
  /// - Parameter set: The set to add it to. Access isn't synchronised: use one thread at a time.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}
