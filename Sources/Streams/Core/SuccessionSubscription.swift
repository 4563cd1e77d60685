import Synchronization

/// The subscription that downstream gets when upstreams follow one another, as in `catch` and
/// `retry`. It counts the outstanding demand. When one upstream's turn ends, it requests the rest
/// from the next. In `catch` and `retry` a failure ends the turn, in `append` a finish does.
///
/// - Demand: a value that wasn't requested is delivered too, as it would be without this operator.
///   The count stays at zero.
/// - Turns: upstreams are told apart by their turn, counted from zero. A turn begins when the
///   upstream sends its subscription. Signals that come before or after their upstream's turn are
///   dropped, except that a second end of a turn traps.
/// - Threads: upstream's signals come one at a time. They're delivered on the thread that brings
///   them, without a gate. Requests and cancellations may come from any thread, even between two
///   upstreams. A request is either forwarded to the upstream whose turn it is, or kept for the
///   next one. The lock decides which.
/// - Release: the end and a cancellation release the upstream. The end of a turn releases the
///   upstream that failed. Nothing is called or released under the lock.
///
/// Source of the rules: Combine's `catch` and `retry`, except that a cancellation between two
/// upstreams takes effect, that signals before a subscription are dropped, and that a value that
/// wasn't requested doesn't trap.
@usableFromInline class SuccessionSubscription: Subscription, Named {
  private enum State {
    /// The upstream whose turn is next hasn't sent its subscription.
    case awaiting
    case attached(any Subscription)
    case ended
  }

  @usableFromInline final let credit = DemandCredit()

  /// How many turns are over, and whether the next one has begun.
  ///
  /// It's twice the number of finished turns, plus one if the next has begun. So a single load
  /// tells a value whether it counts. Changes under the lock.
  @usableFromInline final let progress = Atomic<Int>(0)

  private let calls = Atomic<Int>(0)
  private let state = Locked(State.awaiting)
  @usableFromInline final let name: String
  private let trapsOnNoDemand: Bool

  /// Makes the subscription of a stage whose first upstream hasn't sent a subscription yet.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - trapsOnNoDemand: Whether a request for no values traps. If not, it's forwarded.
  @usableFromInline
  init(_ name: String, trapsOnNoDemand: Bool = true) {
    (self.name, self.trapsOnNoDemand) = (name, trapsOnNoDemand)
  }

  /// Keeps the subscription of an upstream, and requests from it the demand that downstream is
  /// still owed. A subscription too many is cancelled.
  ///
  /// - Returns: Whether the caller hands this object downstream: `true` the first time only.
  @usableFromInline
  final func attach(_ subscription: any Subscription, turn: Int) -> Bool {
    // Nothing is owed in the first turn, because downstream couldn't request anything yet.
    let owed = state.withLock { state -> Subscribers.Demand? in
      guard turn == self.turn, case .awaiting = state else { return nil }
      state = .attached(subscription)
      progress.store(2 * turn + 1, ordering: .relaxed)
      return credit.demand
    }
    guard let owed else {
      subscription.cancel()
      return false
    }
    if owed > 0 { subscription.request(owed) }
    return turn == 0
  }

  /// The number of the current turn or, between two turns, of the next one.
  @inlinable final var turn: Int { progress.load(ordering: .relaxed) / 2 }

  /// Whether this turn has begun and isn't over.
  @inlinable
  final func isTurn(_ turn: Int) -> Bool { progress.load(ordering: .relaxed) == 2 * turn + 1 }

  /// Whether this turn has begun and isn't over, and the stream hasn't ended.
  @inlinable final func isActive(inTurn turn: Int) -> Bool { isTurn(turn) && !credit.isEnded }

  /// Subtracts an arriving value from the demand, if it was requested. A call of this method
  /// doesn't retain the subscription, unlike an access to ``credit`` from outside.
  ///
  /// - Returns: Whether to deliver it: this turn has begun and isn't over, and the stream hasn't
  ///   ended.
  @inlinable
  final func accepts(fromTurn turn: Int) -> Bool {
    isTurn(turn) && (credit.take() || !credit.isEnded)
  }

  /// Adds the demand that downstream returned for a value.
  ///
  /// - Returns: The demand to return to upstream. It's none if upstream's turn ended during the
  ///   delivery, because the demand then goes to the next upstream.
  @inlinable
  final func add(_ more: Subscribers.Demand, toTurn turn: Int) -> Subscribers.Demand {
    guard more > 0 else { return .none }
    guard isTurn(turn) else {
      request(more)
      return .none
    }
    credit.add(more)
    return more
  }

  /// Ends a turn, because its upstream has ended. The next upstream can have its turn.
  ///
  /// - Returns: Whether to subscribe to the next upstream. Not after a cancellation, and not if
  ///   this one has ended before sending a subscription.
  @usableFromInline
  final func endTurn(_ turn: Int) -> Bool {
    let old = state.withLock { state -> State? in
      if case .ended = state { return nil }
      precondition(turn >= self.turn, "\(name): upstream completed twice")
      guard isTurn(turn) else { return nil }
      progress.store(2 * (turn + 1), ordering: .relaxed)
      defer { state = .awaiting }
      return state
    }
    // The old subscription is released here, outside the lock.
    return old != nil
  }

  /// Runs a body with the number of the turn, except after the end.
  ///
  /// If it's called again while the body runs, on this thread or another, the second call only
  /// leaves a note and returns. The first call then runs the body again. So the body never
  /// recurses, and runs one at a time.
  @inlinable
  final func runTurns(_ body: (Int) -> Void) {
    guard beginRun() else { return }
    repeat {
      if !credit.isEnded { body(turn) }
    } while !endRun()
  }

  @usableFromInline
  final func beginRun() -> Bool {
    calls.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
  }

  @usableFromInline
  final func endRun() -> Bool {
    calls.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Ends the stage, because an upstream has completed.
  ///
  /// - Returns: Whether to deliver the completion.
  @usableFromInline final func finish(turn: Int) -> Bool { isTurn(turn) && finish() }

  /// Ends the stage in any turn.
  ///
  /// - Returns: Whether to deliver the completion.
  @usableFromInline final func finish() -> Bool { end() != nil }

  private func end() -> State? {
    state.withLock { state in
      if case .ended = state { return nil }
      defer { state = .ended }
      _ = credit.end()
      return state
    }
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    precondition(
      demand > 0 || !trapsOnNoDemand,
      "\(name): zero values were requested: request at least one")
    let upstream = state.withLock { state -> (any Subscription)? in
      // Under the lock, so that the demand is either forwarded or owed to the next upstream, never
      // both.
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
@usableFromInline protocol SuccessionStage: TransparentStage where Input == Downstream.Input {
  var succession: SuccessionSubscription { get }

  /// Which upstream it receives from, counted from zero.
  var turn: Int { get }
}

extension SuccessionStage {
  @usableFromInline var name: String { succession.name }

  @inlinable
  func receive(subscription: any Subscription) {
    guard succession.attach(subscription, turn: turn) else { return }
    downstream.receive(subscription: succession)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.accepts(fromTurn: turn) else { return .none }
    return succession.add(downstream.receive(input), toTurn: turn)
  }
}
