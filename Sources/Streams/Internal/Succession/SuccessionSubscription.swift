import Synchronization

/// The face of a stage whose upstreams follow one another: it counts the demand that is
/// outstanding, and what is left of it when one upstream fails is requested of the next.
///
/// Upstreams are told apart by their turn, counted from zero: a signal of one whose turn is over
/// has no effect, and a second failure of it traps. Requests and cancellation may come from any
/// thread, also between two upstreams; nothing is called under the lock. After the end, values and
/// requests are dropped and the upstream is let go. Source of the rules: Combine's `catch` and
/// `retry`, except that a cancellation between two upstreams counts.
@usableFromInline
final class SuccessionSubscription: NamedSubscription {
  private enum State {
    /// Downstream has no subscription yet.
    case awaitingFirst
    case attached(any Subscription)
    case awaitingNext
    case ended
  }

  private enum Attachment {
    case first
    case next(owed: Subscribers.Demand)
    case unwanted
  }

  @usableFromInline
  let credit = DemandCredit()

  /// Whose turn it is; changes under the lock.
  @usableFromInline
  let turn = Atomic<Int>(0)

  private let calls = Atomic<Int>(0)
  private let state = Locked(State.awaitingFirst)

  @usableFromInline
  let name: String

  @usableFromInline
  init(_ name: String) { self.name = name }

  /// Keeps the subscription of an upstream, and requests of it what is owed to downstream.
  ///
  /// - Returns: Whether downstream is to be shown this object; the first time only. A subscription
  ///   too many is cancelled here.
  @usableFromInline
  func attach(_ subscription: any Subscription, turn: Int) -> Bool {
    let attachment = state.withLock { state -> Attachment in
      guard isTurn(turn) else { return .unwanted }
      switch state {
      case .awaitingFirst:
        state = .attached(subscription)
        return .first
      case .awaitingNext:
        state = .attached(subscription)
        return .next(owed: credit.outstanding)
      case .attached, .ended: return .unwanted
      }
    }
    switch attachment {
    case .first: return true
    case .next(let owed): if owed > 0 { subscription.request(owed) }
    case .unwanted: subscription.cancel()
    }
    return false
  }

  @inlinable
  func isTurn(_ turn: Int) -> Bool { self.turn.load(ordering: .relaxed) == turn }

  /// Takes a value that arrives off the demand.
  ///
  /// - Returns: Whether it is to be delivered. One that nobody has requested traps.
  @inlinable
  func accepts(fromTurn turn: Int) -> Bool {
    guard isTurn(turn) else { return false }
    if credit.take() { return true }
    checkThatValueWasRequested()
    return false
  }

  @usableFromInline
  func checkThatValueWasRequested() {
    precondition(credit.isEnded, "\(name): a value that was not requested breaks the contract")
  }

  /// Takes note of the demand with which downstream has answered a value.
  ///
  /// - Returns: What to answer upstream; nothing if its turn ended during the delivery, for then
  ///   the demand goes to the next.
  @inlinable
  func answer(_ more: Subscribers.Demand, toTurn turn: Int) -> Subscribers.Demand {
    guard more > 0 else { return .none }
    guard isTurn(turn) else {
      request(more)
      return .none
    }
    credit.add(more)
    return more
  }

  /// Gives the turn to the next upstream, since this one has failed.
  ///
  /// - Returns: Whether to subscribe to a next one; nobody wants it after a cancellation.
  @usableFromInline
  func endTurn(_ turn: Int) -> Bool {
    let (old, hasEnded) = state.withLock { state -> (State, Bool) in
      let old = state
      if case .ended = state { return (old, true) }
      precondition(isTurn(turn), "\(name): a second completion breaks the contract")
      self.turn.store(turn + 1, ordering: .relaxed)
      if case .attached = state { state = .awaitingNext }
      return (old, false)
    }
    // The old subscription is released here, outside the lock.
    withExtendedLifetime(old) {}
    return !hasEnded
  }

  /// Runs a body with the number of the turn, except after the end. Called again while the body
  /// runs, by whomever, it only takes note, and the first caller runs the body again: no recursion,
  /// one at a time.
  @inlinable
  func runTurns(_ body: (Int) -> Void) {
    guard beginRun() else { return }
    repeat {
      if !credit.isEnded { body(turn.load(ordering: .relaxed)) }
    } while !endRun()
  }

  @usableFromInline
  func beginRun() -> Bool { calls.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 }

  @usableFromInline
  func endRun() -> Bool {
    calls.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Ends the stage, since an upstream has completed.
  ///
  /// - Returns: Whether downstream is to be told.
  @usableFromInline
  func finish(turn: Int) -> Bool { isTurn(turn) && end() != nil }

  private func end() -> State? {
    state.withLock { state in
      if case .ended = state { return nil }
      defer { state = .ended }
      _ = credit.end()
      return state
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(name): a request for no value breaks the contract")
    let upstream = state.withLock { state -> (any Subscription)? in
      // Under the lock, so that it is either forwarded or owed to the next upstream, never both.
      credit.add(demand)
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
    upstream?.request(demand)
  }

  @usableFromInline
  func cancel() {
    guard case .attached(let upstream) = end() else { return }
    upstream.cancel()
  }
}

extension DemandCredit {
  /// How many values may still be sent.
  fileprivate var outstanding: Subscribers.Demand {
    let count = word.load(ordering: .relaxed)
    return count == Self.unlimited ? .unlimited : .max(max(count, 0))
  }
}

/// A stage that receives from one of several upstreams that follow one another.
@usableFromInline
protocol SuccessionStage: TransparentStage where Input == Downstream.Input {
  var succession: SuccessionSubscription { get }

  /// Which upstream it receives from, counted from zero.
  var turn: Int { get }
}

extension SuccessionStage {
  @inlinable
  func receive(subscription: any Subscription) {
    guard succession.attach(subscription, turn: turn) else { return }
    downstream.receive(subscription: succession)
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.accepts(fromTurn: turn) else { return .none }
    return succession.answer(downstream.receive(input), toTurn: turn)
  }
}
