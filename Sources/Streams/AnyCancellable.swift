import Synchronization

/// An object that cancels an activity when you cancel or release it, whichever comes first.
///
/// You can call `cancel()` from any thread. Two instances are equal if they're the same object.
/// Follows Combine's `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline let isCancelled = Atomic<Bool>(false)

  // Only touched by `init` and by the one thread that sets `isCancelled` to true.
  @exclusivity(unchecked) @usableFromInline var canceller: CancellableObject?

  /// Creates a cancellable that runs a closure when it's cancelled or released.
  ///
  /// - Parameter cancel: Runs at most once, and is released after that.
  public init(_ cancel: @escaping () -> Void) {
    canceller = ClosureCancellable(cancel)
  }

  /// Creates a cancellable that cancels another one when it's cancelled or released, and keeps that
  /// one alive until then.
  ///
  /// - Parameter canceller: The cancellable to cancel.
  @inlinable
  public init<C>(_ canceller: C) where C: Cancellable {
    self.canceller = CancellableBox(canceller)
  }

  // An object needs no box.
  @inlinable init(object: CancellableObject) { canceller = object }

  deinit {
    // No other thread has this object any more.
    if !isCancelled.load(ordering: .relaxed) { canceller?.cancel() }
  }

  /// Cancels. Calling it again has no effect.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    canceller.take()?.cancel()
  }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Feeds the object's identity to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// `@unchecked`: only the one thread that wins the atomic exchange touches the canceller.
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

/// A cancellable that an ``AnyCancellable`` can keep without a box.
@usableFromInline typealias CancellableObject = any Cancellable & AnyObject

@usableFromInline final class CancellableBox<Content: Cancellable>: Cancellable {
  @usableFromInline let content: Content

  @inlinable init(_ content: Content) { self.content = content }

  @usableFromInline func cancel() { content.cancel() }
}

private final class ClosureCancellable: Cancellable {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func cancel() { body() }
}
