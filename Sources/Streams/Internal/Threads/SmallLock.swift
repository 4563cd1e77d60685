import Synchronization

/// A lock of half a word, for objects that every subscription needs.
///
/// ``Locked`` is safer to use, because its state can't be reached without locking. But it's an
/// object of its own, and a subscription with a `Locked` costs a third more to make. So use this
/// only where a benchmark shows it. The same rules hold. Keep the state in private properties of
/// the owner, touch them only inside ``withLock(_:)``, and say so where they're declared. Never
/// call out or release the user's values while you hold it. It isn't re-entrant.
///
/// Such a property can be `@exclusivity(unchecked)`, because accesses under a lock don't overlap.
@usableFromInline
struct SmallLock: ~Copyable, Sendable {
  /// No thread holds it.
  @inlinable
  static var free: UInt32 { 0 }

  @inlinable
  static var held: UInt32 { 1 }

  /// Held, and a thread may be waiting.
  @inlinable
  static var awaited: UInt32 { 2 }

  @usableFromInline
  let word = Atomic<UInt32>(SmallLock.free)

  @inlinable
  init() {}

  /// Runs a closure while no other thread holds the lock.
  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    if !word.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring)
      .exchanged
    {
      waitAndLock()
    }
    let result = body()
    if word.exchange(Self.free, ordering: .releasing) == Self.awaited { wakeWaiting() }
    return result
  }

  @usableFromInline
  func waitAndLock() {
    // If it's free by now, this thread holds it. The next unlocking may call an empty room.
    WaitingRoom.of(word).wait { word.exchange(Self.awaited, ordering: .acquiring) == Self.free }
  }

  @usableFromInline
  func wakeWaiting() { WaitingRoom.of(word).callAll() }
}
