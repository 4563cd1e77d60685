import Synchronization

/// The re-entrant gate that serialises signals. The thread inside can enter again, so its
/// deliveries nest. Other threads that deliver wait until it has left.
///
/// The gate's word has the ID of the thread inside, and flags that other threads can set.
/// ``waiters`` says that a thread is waiting to enter. ``chores`` says that there is work that the
/// thread inside does before it leaves. So subscribing and cancelling don't have to wait. No chore
/// is missed, because leaving is a compare-and-swap that fails if a chore has been added.
///
/// A gate that one thread uses again and again becomes biased: that thread then enters and leaves
/// without such an exchange. `Gate+Bias.swift` has the rules.
///
/// This isn't the lock that guards state (``Locked``): user code runs inside a gate.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<UInt>(0)

  /// Which thread the gate is biased towards, or which one was the last to leave; see
  /// ``GateBias``.
  @usableFromInline
  let bias = Atomic<UInt>(0)

  /// How often the last thread has left undisturbed since another one did. Changes inside the gate.
  @usableFromInline
  let streak = Atomic<UInt32>(0)

  @inlinable
  package init() {}

  // A thread's ID is the address of its control block, so its four lowest bits are free.
  @inlinable
  static var waiters: UInt { 1 }

  @inlinable
  static var chores: UInt { 2 }

  /// The thread that the gate is biased towards is inside, or not: only `bias` says it.
  @inlinable
  static var biased: UInt { 4 }

  /// A thread is taking the bias away.
  @inlinable
  static var revoking: UInt { 8 }

  /// The part of the word that isn't the thread's ID.
  @inlinable
  static var flags: UInt { waiters | chores | biased | revoking }

  /// Whether the calling thread is inside.
  @inlinable
  var isMine: Bool {
    let me = ThreadID.current
    return word.load(ordering: .relaxed) & ~Self.flags == me
      || bias.load(ordering: .relaxed) & ~GateBias.choresOfItsOwn == GateBias.inside(me)
  }

  // MARK: Entering

  /// Enters the gate. If another thread is inside, waits until it has left.
  ///
  /// - Parameter me: The calling thread. Asking for it takes as long as entering a biased gate.
  /// - Returns: Whether the thread was outside before. If so, it has to ``leave(doing:)``. If not,
  ///   it mustn't, because an outer call of the same thread does.
  @inlinable
  @inline(__always)
  package func enter(as me: UInt = ThreadID.current) -> Bool {
    guard bias.load(ordering: .acquiring) == GateBias.outside(me) else {
      return enterUnbiased(as: me)
    }
    bias.store(GateBias.inside(me), ordering: .relaxed)
    return word.load(ordering: .acquiring) == Self.biased || enterRevoked() || enterAfterAnother()
  }

  @usableFromInline
  @inline(never)
  func enterUnbiased(as me: UInt) -> Bool {
    word.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged
      || enterAfterAnother()
  }

  /// Enters the gate if no thread is inside. May also fail if the gate is biased towards another
  /// thread.
  ///
  /// - Returns: Whether the thread entered. If so, it has to leave.
  @inlinable
  func enterIfEmpty() -> Bool {
    // In this order: a thread that owned the bias gives it up before it enters without it.
    enterIfBiased()
      || word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring)
        .exchanged
  }

  /// Enters the gate if no thread is inside. Otherwise tells the thread inside, which may be the
  /// caller itself, that there are chores.
  ///
  /// - Returns: Whether the thread entered. If so, it has to do the chores itself, and then leave.
  @usableFromInline
  package func enterOrDelegate() -> Bool {
    if enterIfBiased() { return true }
    return noteOwnChores() ? false : enterOrLeave(Self.chores)
  }

  @usableFromInline
  @inline(never)
  func enterAfterAnother() -> Bool {
    if isMine { return false }
    WaitingRoom.of(word).wait { enterOrLeave(Self.waiters) }
    return true
  }

  /// Tries to enter. If another thread is inside, leaves it a flag.
  ///
  /// - Returns: Whether the thread entered.
  private func enterOrLeave(_ flag: UInt) -> Bool {
    let me = ThreadID.current
    var old = word.load(ordering: .relaxed)
    while true {
      if old == Self.biased {
        if let hasEntered = revokeBias(orLeave: flag) { return hasEntered }
        old = word.load(ordering: .relaxed)
        continue
      }
      let new = old == 0 ? me : old | flag
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 }
      old = current
    }
  }

  // MARK: Inside

  /// Whether there are chores for the thread inside. It may do them early. Only that thread asks.
  @inlinable
  var hasChores: Bool {
    word.load(ordering: .relaxed) & Self.chores != 0
      || bias.load(ordering: .relaxed) & GateBias.choresOfItsOwn != 0
  }

  // MARK: Leaving

  /// Leaves the gate, unless a thread is waiting or there are chores.
  ///
  /// The caller keeps the object that the gate is in alive until this returns, even if another
  /// thread can enter before.
  ///
  /// - Parameter me: The calling thread.
  /// - Returns: Whether the thread has left. If not, it has to ``leave(doing:)``.
  @inlinable
  @inline(__always)
  package func leaveUndisturbed(as me: UInt = ThreadID.current) -> Bool {
    guard bias.load(ordering: .relaxed) == GateBias.inside(me) else {
      return leaveUnbiased(as: me)
    }
    bias.store(GateBias.outside(me), ordering: .releasing)
    return word.load(ordering: .relaxed) == Self.biased || leaveRevoked()
  }

  @usableFromInline
  @inline(never)
  func leaveUnbiased(as me: UInt) -> Bool {
    assert(me & Self.flags == 0, "the control blocks of this system's threads are too close")
    let last = bias.load(ordering: .relaxed)
    if last == me {
      let streak = streak.load(ordering: .relaxed) &+ 1
      self.streak.store(streak, ordering: .relaxed)
      if streak >= GateBias.streak { return leaveBiased() }
    } else if last & GateBias.flags == 0 {
      bias.store(me, ordering: .relaxed)
      streak.store(0, ordering: .relaxed)
    }
    return word.compareExchange(expected: me, desired: 0, ordering: .releasing).exchanged
  }

  /// Does the chores until there are none left, then leaves the gate and wakes the waiting threads.
  @usableFromInline
  package func leave(doing chores: () -> Void) {
    while takeOwnChores() { chores() }
    if bias.load(ordering: .relaxed) == GateBias.inside(ThreadID.current), leaveUndisturbed() {
      return
    }
    var old = word.load(ordering: .relaxed)
    while true {
      let hasChores = old & Self.chores != 0
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: hasChores ? old & ~Self.chores : 0,
        ordering: .acquiringAndReleasing)
      guard exchanged else {
        old = current
        continue
      }
      if hasChores {
        chores()
        old = word.load(ordering: .relaxed)
      } else {
        if old & Self.waiters != 0 { WaitingRoom.of(word).callAll() }
        return
      }
    }
  }
}
