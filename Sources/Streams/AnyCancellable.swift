import Synchronization

/// Cancels something when it is cancelled or released, whichever comes first.
///
/// `cancel()` may be called from any thread. Two are equal if they are the same object.
/// Source of the rule: Combine's `AnyCancellable`.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline
  let isCancelled = Atomic<Bool>(false)

  // Touched by `init`, and by the one thread that moves `isCancelled` to true.
  @exclusivity(unchecked)
  @usableFromInline
  var canceller: (any CancellableObject)?

  /// Runs a closure when cancelled or released.
  ///
  /// - Parameter cancel: Runs once at most, and is released after it ran.
  public init(_ cancel: @escaping () -> Void) {
    canceller = ClosureCancellable(cancel)
  }

  /// Cancels another cancellable when cancelled or released, and keeps it alive until then.
  ///
  /// - Parameter canceller: What to cancel.
  @inlinable
  public init<C>(_ canceller: C) where C: Cancellable {
    self.canceller = CancellableBox(canceller)
  }

  // An object needs no box.
  @inlinable
  init(object: any CancellableObject) { canceller = object }

  deinit { cancel() }

  /// Cancels; from the second call on it has no effect.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let canceller = canceller
    self.canceller = nil
    canceller?.cancel()
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

/// A cancellable that an ``AnyCancellable`` can keep without a box.
@usableFromInline
protocol CancellableObject: AnyObject, Cancellable {}

@usableFromInline
final class CancellableBox<Content: Cancellable>: CancellableObject {
  @usableFromInline
  let content: Content

  @inlinable
  init(_ content: Content) { self.content = content }

  @usableFromInline
  func cancel() { content.cancel() }
}

private final class ClosureCancellable: CancellableObject {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func cancel() { body() }
}
