import Synchronization

/// Cancels something when it is cancelled or released, whichever comes first.
///
/// `cancel()` may be called from any thread. Two are equal if they are the same object.
/// Source of the rule: Combine's `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline
  let isCancelled = Atomic<Bool>(false)

  // Touched by whoever turns `isCancelled` to true, and by `init` and `deinit`: by one thread.
  @usableFromInline
  var canceller: (any Cancellable)?

  /// Runs a closure when cancelled or released.
  ///
  /// - Parameter cancel: Runs once at most, and is released after it ran.
  public init(_ cancel: @escaping () -> Void) {
    canceller = ClosureCancellable(body: cancel)
  }

  /// Cancels another cancellable when cancelled or released, and keeps it alive until then.
  ///
  /// - Parameter canceller: What to cancel.
  @inlinable
  public init<C>(_ canceller: C) where C: Cancellable {
    self.canceller = canceller
  }

  deinit { cancel() }

  /// Cancels; from the second call on it has no effect.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    canceller.take()?.cancel()
  }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Feeds the object's identity to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable {
  /// Keeps this in a collection, which cancels it when it is removed.
  ///
  /// - Parameter collection: Where to keep it. Not synchronised: one thread at a time.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this in a set, which cancels it when it is removed.
  ///
  /// - Parameter set: Where to keep it. Not synchronised: one thread at a time.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}

private struct ClosureCancellable: Cancellable {
  let body: () -> Void
  func cancel() { body() }
}
