/// A lock for state that one thread uses most of the time.
///
/// For a thread that has used it long enough, locking and unlocking cost no atomic exchange,
/// because it's a ``Gate`` inside. The rules of ``Locked`` hold. Keep the state in private
/// properties of the owner, touch them only inside ``withLock(_:)``, and say so where they're
/// declared. Never call out or release the user's values while you hold it. It isn't re-entrant.
///
/// Such a property can be `@exclusivity(unchecked)`, because accesses under a lock don't overlap.
@usableFromInline
struct BiasedLock: ~Copyable, Sendable {
  @usableFromInline
  let gate = Gate()

  @inlinable
  init() {}

  /// Runs a closure while no other thread holds the lock.
  ///
  /// - Parameter me: The calling thread.
  @inlinable
  @inline(__always)
  func withLock<Result>(as me: UInt = ThreadID.current, _ body: () -> Result) -> Result {
    let wasOutside = gate.enter(as: me)
    assert(wasOutside, "a lock was taken again inside it")
    let result = body()
    if !gate.leaveUndisturbed(as: me) { wakeWaiting() }
    return result
  }

  @usableFromInline
  func wakeWaiting() { gate.leave {} }
}
