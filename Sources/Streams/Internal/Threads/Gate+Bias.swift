import Synchronization

/// The second word of a ``Gate``. It's one of these, and apart from the first two, only the thread
/// in it writes it:
///
/// - A thread's ID: that thread was the last to leave. Written inside the gate.
/// - ``retired``: the gate never becomes biased again.
/// - A thread's ID with ``held``: the gate is biased towards that thread, and only that thread
///   enters, until another one takes the bias away. ``insideFlag`` says that it's inside, and
///   ``choresOfItsOwn`` that it has left itself chores. The owner finds out at its next call that
///   the bias is gone, and retires the word before it enters without it.
@usableFromInline
enum GateBias {
  @inlinable static var insideFlag: UInt { 1 }
  @inlinable static var held: UInt { 2 }
  @inlinable static var choresOfItsOwn: UInt { 4 }

  @inlinable static var flags: UInt { insideFlag | held | choresOfItsOwn }

  @inlinable static var retired: UInt { insideFlag }

  @inlinable
  static func outside(_ thread: UInt) -> UInt { thread | held }

  @inlinable
  static func inside(_ thread: UInt) -> UInt { thread | held | insideFlag }

  /// How often a thread leaves in a row before the gate becomes biased towards it. By then, the
  /// bias would have saved as much as it costs to take away (14 microseconds, measured).
  @inlinable static var streak: UInt32 { 1000 }
}

// The bias.
//
// A gate usually has one user, but it doesn't know that there won't be a second one. An atomic
// exchange for each entering and each leaving, in case there is one, costs more than most
// operators. So once a thread has used the gate long enough, the gate becomes biased towards it.
// From then on, the owner of the bias writes to its own word whether it's inside, and looks whether
// the gate's word still says `biased`. Both are plain accesses.
//
// A processor may look first and write later, which is what atomic exchanges prevent. (The compiler
// may too, by the rules of the memory model. Swift has no fence for the compiler alone, but LLVM
// doesn't move atomic accesses past each other.) Here, the other thread prevents it, when it comes.
// It marks the gate's word as `revoking`, makes every thread of the process pass a memory barrier
// (``ProcessBarrier``), and then reads the owner's word. The owner has either written before the
// barrier, and then the other thread sees that. Or it looks after the barrier, and then it sees the
// mark.
//
// If both see each other, a compare-and-swap on the gate's word decides: the other thread enters,
// or the owner is inside like any thread. A gate loses its bias only once, and then for good.
extension Gate {
  // MARK: The owner

  /// Enters the gate if it's biased towards the calling thread, which is outside.
  @usableFromInline
  func enterIfBiased() -> Bool {
    let me = ThreadID.current
    guard bias.load(ordering: .acquiring) == GateBias.outside(me) else { return false }
    bias.store(GateBias.inside(me), ordering: .relaxed)
    return word.load(ordering: .acquiring) == Self.biased || enterRevoked()
  }

  /// Enters the gate after another thread has begun to take the bias away, if that thread took this
  /// one to be inside, or hasn't looked yet.
  ///
  /// - Returns: Whether the thread is inside, now without a bias.
  @usableFromInline
  @inline(never)
  func enterRevoked() -> Bool {
    let isInside = becomesOrdinary()
    bias.store(GateBias.retired, ordering: .releasing)
    return isInside
  }

  /// Leaves the gate after another thread has begun to take the bias away. The owner's word says
  /// already that this thread is outside.
  ///
  /// - Returns: Whether the thread has left.
  @usableFromInline
  @inline(never)
  func leaveRevoked() -> Bool {
    guard enterRevoked() else { return true }
    return word.compareExchange(expected: ThreadID.current, desired: 0, ordering: .releasing)
      .exchanged
  }

  /// Settles with the thread that takes the bias away whether this one is inside.
  private func becomesOrdinary() -> Bool {
    let me = ThreadID.current
    var old = word.load(ordering: .acquiring)
    while old & Self.revoking != 0 {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: me | old & ~Self.revoking, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return old & ~Self.flags == me
  }

  /// Leaves the gate, unless a thread is waiting or there are chores. Biases it towards the calling
  /// thread, if the system allows that.
  ///
  /// - Returns: Whether the thread has left.
  @usableFromInline
  func leaveBiased() -> Bool {
    let me = ThreadID.current
    streak.store(0, ordering: .relaxed)
    switch ProcessBarrier.state {
    case .ready:
      // Read by another thread only after the exchange has succeeded.
      bias.store(GateBias.outside(me), ordering: .relaxed)
      if word.compareExchange(expected: me, desired: Self.biased, ordering: .releasing).exchanged {
        return true
      }
      bias.store(me, ordering: .relaxed)
      return false
    case .unavailable:
      bias.store(GateBias.retired, ordering: .relaxed)
    case .starting:
      break
    }
    return word.compareExchange(expected: me, desired: 0, ordering: .releasing).exchanged
  }

  /// If the gate is biased towards the calling thread, and that is inside, notes that it has left
  /// itself chores.
  func noteOwnChores() -> Bool {
    let me = ThreadID.current
    guard bias.load(ordering: .relaxed) & ~GateBias.choresOfItsOwn == GateBias.inside(me)
    else { return false }
    bias.store(GateBias.inside(me) | GateBias.choresOfItsOwn, ordering: .relaxed)
    return true
  }

  /// Takes the note of ``noteOwnChores()``, if there is one.
  func takeOwnChores() -> Bool {
    let me = ThreadID.current
    guard bias.load(ordering: .relaxed) == GateBias.inside(me) | GateBias.choresOfItsOwn
    else { return false }
    bias.store(GateBias.inside(me), ordering: .relaxed)
    return true
  }

  // MARK: Other threads

  /// Takes the bias away. Enters the gate if its owner is outside. Otherwise leaves the owner a
  /// flag, which it finds when it leaves.
  ///
  /// - Returns: Whether the thread entered; `nil` if another thread was faster, or the owner.
  func revokeBias(orLeave flag: UInt) -> Bool? {
    let hasBegun = word.compareExchange(
      expected: Self.biased, desired: Self.revoking, ordering: .acquiringAndReleasing
    ).exchanged
    guard hasBegun else { return nil }
    ProcessBarrier.pass()
    let owner = bias.load(ordering: .acquiring)
    let isInside = owner & GateBias.insideFlag != 0
    var old = word.load(ordering: .relaxed)
    // Meanwhile, others may have left flags, or the owner has noticed.
    while old & Self.revoking != 0 {
      let flags = old & (Self.waiters | Self.chores)
      let new = isInside ? owner & ~GateBias.flags | flags | flag : ThreadID.current | flags
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return !isInside }
      old = current
    }
    return nil
  }
}
