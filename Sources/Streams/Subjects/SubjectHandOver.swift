import Synchronization

/// The phase in which a subscriber of a subject gets its subscription, on the attaching thread.
///
/// It ends with the subscriber's first request, or when `receive(subscription:)` returns. From then
/// on, any thread that is inside the gate may deliver, even if `receive(subscription:)` is still
/// running. That's how it is in Combine. If the thread had to put its values aside instead, they
/// could pile up without a limit, and arrive after later values that took another way.
///
/// If there is a current value, the attaching thread delivers it as a part of its first request,
/// and the phase ends after that.
@usableFromInline struct SubjectHandOver: ~Copyable, Sendable {
  /// The attaching thread, and whether it's delivering the first value; zero after the end.
  private let word = Atomic<UInt>(ThreadID.current)

  @usableFromInline init() {}

  // A thread's ID is the address of its control block, so its lowest bits are free.
  private static var firstValue: UInt { 1 }
  @usableFromInline var isOver: Bool { word.load(ordering: .acquiring) == ThreadID.none }

  /// The attaching thread.
  @usableFromInline var thread: UInt { word.load(ordering: .relaxed) & ~Self.firstValue }

  /// Begins the delivery of the first value, if the calling thread is the attaching one.
  ///
  /// - Returns: Whether this is the first time, and the phase isn't over.
  func beginFirstValue() -> Bool {
    let me = ThreadID.current
    return word.compareExchange(
      expected: me, desired: me | Self.firstValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Ends the phase, unless the first value is being delivered.
  func endUnlessFirstValue() {
    let thread = thread
    guard thread != ThreadID.none else { return }
    _ = word.compareExchange(
      expected: thread, desired: ThreadID.none, ordering: .acquiringAndReleasing)
  }

  @usableFromInline func end() { word.store(ThreadID.none, ordering: .releasing) }
}
