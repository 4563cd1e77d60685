import Synchronization

/// A reference that any thread may set, once, and any thread may read.
///
/// It does what `AtomicLazyReference` does. But that one's methods can't be inlined into generic
/// code, and cost fifty times as much for each read.
struct SetOnce<Object: AnyObject>: ~Copyable {
  // Once it's set, it stays, and is retained until the end. So a reference that was read is valid
  // for as long as the owner of this is.
  let reference = Atomic<Unmanaged<Object>?>(nil)

  init() {}

  deinit { reference.load(ordering: .acquiring)?.release() }

  /// The object, or `nil` if none has been set.
  var value: Object? {
    get { reference.load(ordering: .acquiring)?.takeUnretainedValue() }
  }

  var isSet: Bool {
    get { reference.load(ordering: .acquiring) != nil }
  }

  /// Uses the object without retaining it, if one is set. The caller keeps the owner of this, and
  /// so the object.
  func use<Result>(_ body: (Object) -> Result) -> Result? {
    guard let object = reference.load(ordering: .acquiring) else { return nil }
    return object._withUnsafeGuaranteedRef(body)
  }

  /// Sets the object, unless there is one.
  ///
  /// - Returns: The object that is set now.
  func set(_ object: Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let (exchanged, current) = reference.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    guard !exchanged, let current else { return object }
    new.release()
    return current.takeUnretainedValue()
  }
}
