import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// Nothing here knows the type of values, so nothing is generic. The list changes only inside the
/// gate; it grows at any time, and shrinks when nobody is in the midst of it. A loop over it by
/// index is therefore safe without a copy and without retaining: who subscribes meanwhile comes
/// after the end that the loop has noted, who cancels meanwhile is marked and swept out later.
@usableFromInline
final class SubjectHub: @unchecked Sendable {
  private struct Waiting {
    var newcomers: [SubjectConduit] = []
    var upstreams: [any Subscription] = []
    var hasDemand = false
    var isClosed = false
  }

  @usableFromInline
  let gate = Gate()

  private let waiting = Locked(Waiting())

  /// Whether the subject has completed.
  @usableFromInline
  let isClosed = Atomic<Bool>(false)

  private let hasDemand = Atomic<Bool>(false)

  // The list is touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var conduits = UnsafeMutablePointer<Unmanaged<SubjectConduit>>.allocate(capacity: 4)

  @exclusivity(unchecked)
  @usableFromInline
  var count = 0

  /// Which conduit a value is being offered to, and where that `send` ends, if it notes that.
  @exclusivity(unchecked)
  @usableFromInline
  var offered = 0

  @exclusivity(unchecked)
  @usableFromInline
  var offerEnd = 0

  private var capacity = 4

  /// Delivers the current value to those who have missed it, where there is one. Called inside the
  /// gate. Set once, before the first subscriber.
  @usableFromInline
  nonisolated(unsafe) var catchUp: (() -> Void)?

  @usableFromInline
  init() {}

  deinit {
    for index in 0..<count { conduits[index].release() }
    conduits.deallocate()
    for upstream in waiting.withLock({ $0.upstreams }) { upstream.cancel() }
  }

  /// Adds a subscriber.
  ///
  /// - Returns: Whether it was added; the subject has completed otherwise.
  @usableFromInline
  func attach(_ conduit: SubjectConduit) -> Bool {
    let isOpen = waiting.withLock { waiting in
      if !waiting.isClosed { waiting.newcomers.append(conduit) }
      return !waiting.isClosed
    }
    guard isOpen else { return false }
    if gate.isMine { admitNewcomers() } else { doChores() }
    return true
  }

  /// Sees to it that what others have asked for is done, now or as soon as the sender is through.
  @usableFromInline
  func doChores() {
    guard gate.enterOrDelegate() else { return }
    leave(havingChores: true)
  }

  /// Leaves the gate, after what others have asked for meanwhile.
  @inlinable
  func leave() {
    if !gate.leaveUndisturbed() { leave(havingChores: false) }
  }

  @usableFromInline
  func leave(havingChores: Bool) {
    var removed: [Unmanaged<SubjectConduit>] = []
    if havingChores { doChores(&removed) }
    gate.leave { doChores(&removed) }
    // Outside the gate: releasing a subscriber runs code of the user's.
    for conduit in removed { conduit.release() }
  }

  /// Lets nobody in any more.
  @usableFromInline
  func close() { waiting.withLock { $0.isClosed = true } }

  /// Takes in those who have subscribed since; only inside the gate.
  @usableFromInline
  func admitNewcomers() {
    let newcomers = waiting.withLock { waiting in
      defer { waiting.newcomers = [] }
      return waiting.newcomers
    }
    for conduit in newcomers {
      if count == capacity { grow() }
      conduits[count] = .passRetained(conduit)
      count += 1
    }
  }

  /// Sees to it that the current value is delivered to those who have missed it and may have it.
  @usableFromInline
  func catchUpNow() {
    if gate.isMine { catchUp?() } else { doChores() }
  }

  /// Takes in newcomers, delivers what was missed, and takes out who has ended; only inside the
  /// gate, outside every loop.
  private func doChores(_ removed: inout [Unmanaged<SubjectConduit>]) {
    admitNewcomers()
    catchUp?()
    var kept = 0
    for index in 0..<count {
      let conduit = conduits[index]
      if conduit._withUnsafeGuaranteedRef({ $0.subscription.credit.isEnded }) {
        removed.append(conduit)
      } else {
        conduits[kept] = conduit
        kept += 1
      }
    }
    count = kept
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Unmanaged<SubjectConduit>>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: conduits, count: count)
    conduits.deallocate()
    conduits = larger
    capacity *= 2
  }
}

// Subscriptions that feed the subject: `send(subscription:)`.
extension SubjectHub {
  /// Keeps an upstream subscription until the subject goes.
  @usableFromInline
  func keep(_ upstream: any Subscription, demanding: Bool) {
    let isDemanded = waiting.withLock { waiting in
      waiting.upstreams.append(upstream)
      return waiting.hasDemand
    }
    if demanding || isDemanded { upstream.request(.unlimited) }
  }

  /// Notes that a subscriber has requested something; the first time, asks the upstreams for all.
  @usableFromInline
  func noteDemand() {
    guard !hasDemand.load(ordering: .relaxed) else { return }
    let upstreams = waiting.withLock { waiting -> [any Subscription] in
      defer { waiting.hasDemand = true }
      return waiting.hasDemand ? [] : waiting.upstreams
    }
    hasDemand.store(true, ordering: .relaxed)
    for upstream in upstreams { upstream.request(.unlimited) }
  }
}
