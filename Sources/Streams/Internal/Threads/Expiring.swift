import Synchronization

/// An object of user closures that is released at the end of a stream, even if upstream keeps its
/// owner. Its ``Expiry`` says when.
///
/// It isn't generic, because the `deinit` of a generic class is slow if it destroys a generic
/// struct. The owner knows the type of the object, and passes it to each call.
@usableFromInline
struct Expiring: ~Copyable, Sendable {
  @usableFromInline
  let expiry = Expiry()

  // Unmanaged, so that a delivery needn't retain it: it isn't released while one is inside.
  // `nonisolated(unsafe)`: never changes. Only its lifetime is guarded here, not its content.
  @usableFromInline
  nonisolated(unsafe) let object: Unmanaged<AnyObject>

  @inlinable
  init(_ object: AnyObject) { self.object = .passRetained(object) }

  @inlinable
  deinit {
    if expiry.insider.load(ordering: .acquiring) != ExpiryInsider.released { object.release() }
  }

  /// Uses the object without retaining it, unless it has expired. The caller has to be inside.
  @inlinable
  @inline(__always)
  func use<Object: AnyObject>(as type: Object.Type, _ body: (Object) -> Void) {
    if expiry.hasExpired { return }
    object._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: type)) }
  }

  /// Leaves.
  @inlinable
  func leave() {
    if expiry.leave() { object.release() }
  }

  /// The object, retained, so that it stays usable when it expires; `nil` after the end.
  @inlinable
  func retained<Object: AnyObject>(as type: Object.Type) -> Object? {
    expiry.visit {
      unsafeDowncast(object.takeUnretainedValue(), to: type)
    } releasing: {
      object.release()
    }
  }

  /// Expires.
  ///
  /// - Returns: Whether this is the first time.
  @inlinable
  @discardableResult
  func expire() -> Bool {
    let (old, isUnused) = expiry.expire()
    if isUnused { object.release() }
    return old & Expiry.expired == 0
  }

  /// Expires.
  ///
  /// - Returns: The object, if this is the first time.
  @inlinable
  func take<Object: AnyObject>(as type: Object.Type) -> Object? {
    let object = retained(as: type)
    return expire() ? object : nil
  }
}
