import Synchronization

/// The subscription that downstream sees when upstreams follow one another, as in `catch` and
/// `retry`. It counts the demand that is outstanding; when one upstream fails, it requests the rest
/// from the next.
///
/// - Turns: upstreams are told apart by their turn, counted from zero. A turn begins when the
///   upstream sends its subscription. Signals that come before that or after its turn are dropped,
///   except that a second failure traps.
/// - Threads: upstream's signals come one at a time, and are delivered on the thread that brings
///   them, without a gate. Requests and cancellations may come from any thread, also between two
///   upstreams. A request is either forwarded to the upstream whose turn it is, or kept for the next
///   one; the lock decides which.
/// - Release: the end and a cancellation let go of the upstream; the end of a turn lets go of the
///   one that failed. Nothing is called or released under the lock.
///
/// Source of the rules: Combine's `catch` and `retry`, except that a cancellation between two
/// upstreams takes effect, and that signals before a subscription are dropped.
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

  /// The number of turns that are over.
  ///
  /// Twice their number, and one more while the next has begun: so one look tells a value whether
  /// it counts. Changes under the lock.
  @usableFromInline
  let progress = Atomic<Int>(0)

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
      guard turn == self.turn else { return .unwanted }
      switch state {
      case .awaitingFirst:
        begin(turn, with: subscription, &state)
        return .first
      case .awaitingNext:
        begin(turn, with: subscription, &state)
        return .next(owed: credit.demand)
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

  private func begin(_ turn: Int, with subscription: any Subscription, _ state: inout State) {
    state = .attached(subscription)
    progress.store(2 * turn + 1, ordering: .relaxed)
  }

  /// The number of the turn that goes on, or that comes next.
  @inlinable
  var turn: Int { progress.load(ordering: .relaxed) / 2 }

  /// Whether this turn has begun, and is not over.
  @inlinable
  func isTurn(_ turn: Int) -> Bool { progress.load(ordering: .relaxed) == 2 * turn + 1 }

  /// Takes a value that arrives off the demand.
  ///
  /// - Returns: Whether it is to be delivered. One that was not requested traps.
  @inlinable
  func accepts(fromTurn turn: Int) -> Bool {
    guard isTurn(turn) else { return false }
    if credit.take() { return true }
    checkThatValueWasRequested()
    return false
  }

  @usableFromInline
  func checkThatValueWasRequested() {
    precondition(credit.isEnded, "\(name): upstream sent a value that wasn't requested")
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

  /// Gives the turn to the next upstream, because this one has failed.
  ///
  /// - Returns: Whether to subscribe to the next one: not after a cancellation, and not if this one
  ///   has failed before it has sent a subscription.
  @usableFromInline
  func endTurn(_ turn: Int) -> Bool {
    let old = state.withLock { state -> State? in
      if case .ended = state { return nil }
      precondition(turn >= self.turn, "\(name): upstream completed twice")
      guard isTurn(turn) else { return nil }
      progress.store(2 * (turn + 1), ordering: .relaxed)
      defer { state = .awaitingNext }
      return state
    }
    // The old subscription is released here, outside the lock.
    return old != nil
  }

  /// Runs a body with the number of the turn, except after the end.
  ///
  /// If it is called again while the body runs, on this thread or another, the second call only
  /// takes note and returns. The first one then runs the body again: no recursion, one at a time.
  @inlinable
  func runTurns(_ body: (Int) -> Void) {
    guard beginRun() else { return }
    repeat {
      if !credit.isEnded { body(turn) }
    } while !endRun()
  }

  @usableFromInline
  func beginRun() -> Bool { calls.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 }

  @usableFromInline
  func endRun() -> Bool {
    calls.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Ends the stage, because an upstream has completed.
  ///
  /// - Returns: Whether downstream is to be told.
  @usableFromInline
  func finish(turn: Int) -> Bool { isTurn(turn) && finish() }

  /// Ends the stage in any turn.
  ///
  /// - Returns: Whether downstream is to be told.
  @usableFromInline
  func finish() -> Bool { end() != nil }

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
    precondition(demand > 0, "\(name): zero values were requested: request at least one")
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
