import Synchronization

/// State guarded by the project's one kind of lock.
///
/// Hold the lock for a few assignments only, and never while you call out. Under the lock, decide
/// *what* to do and return that; do it after unlocking. Release the user's values after unlocking
/// too. It isn't re-entrant.
@usableFromInline package final class Locked<State> {
  @usableFromInline let lock = Lock()

  // Touched under the lock only.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// Makes a lock that guards this state.
  @inlinable package init(_ state: State) { self.state = state }

  /// Runs a closure with exclusive access to the state.
  ///
  /// A result that the caller ignores is released after unlocking, also in optimised builds.
  @inlinable
  @inline(never)  // A caller that ignores the result can't release it before the lock is free.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { () throws(Failure) -> Result in try body(&state) }
  }

  /// Whether the lock is held right now, for tests.
  package var isHeld: Bool { lock.isHeld }
}

// The state is only accessed under the lock.
extension Locked: @unchecked Sendable {}

/// The lock without its state, for objects that every subscription needs.
///
/// ``Locked`` is safer to use, because its state can't be reached without locking. But it's an
/// object of its own, which makes a subscription a third slower to set up. So use this only where a
/// benchmark shows it. Keep the state in private properties of the owner, touch them only inside
/// ``withLock(_:)``, and say so where they're declared. Such a property can be
/// `@exclusivity(unchecked)`, because accesses under a lock don't overlap.
///
/// It's half a word and needs no memory of its own. Around `Synchronization.Mutex` on Linux, the
/// thread sanitizer reports races that don't exist, because it doesn't see that lock's atomic
/// operations. It sees these.
@usableFromInline package struct Lock: ~Copyable, Sendable {
  /// No thread holds it.
  @inlinable static var free: UInt32 { 0 }

  @inlinable static var held: UInt32 { 1 }

  /// Held, and a thread may be waiting.
  @inlinable static var awaited: UInt32 { 2 }

  @usableFromInline let word = Atomic<UInt32>(Lock.free)

  @inlinable package init() {}

  /// Runs a closure while no other thread holds the lock.
  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !word.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring)
      .exchanged
    {
      waitAndLock()
    }
    defer { if word.exchange(Self.free, ordering: .releasing) == Self.awaited { wakeWaiting() } }
    return try body()
  }

  @usableFromInline
  func waitAndLock() {
    // If it's free by now, this thread holds it. The next unlocking may call an empty room.
    WaitingRoom.of(word).wait { word.exchange(Self.awaited, ordering: .acquiring) == Self.free }
  }

  @usableFromInline func wakeWaiting() { WaitingRoom.of(word).callAll() }

  var isHeld: Bool { word.load(ordering: .relaxed) != Self.free }
}
