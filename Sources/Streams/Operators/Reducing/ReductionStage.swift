/// A stage that takes all of upstream's values, however much downstream requests.
@usableFromInline protocol ConsumingStage: RelayStage where Relay == ResultRelay<Downstream> {}

extension ConsumingStage {
  // The request for all values comes last, and downstream's own requests don't reach upstream.
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }

  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
    relay.forward(.unlimited)
  }
}

/// A stage that publishes one result, when upstream finishes or as soon as the result is known.
///
/// It requests all values as soon as downstream has its subscription, and keeps the result until
/// downstream requests one. If it needs no more values, it cancels upstream at once, even if
/// downstream hasn't requested anything. A failure is delivered at once too. Source of the rules:
/// Combine's `reduce` and its relatives.
@usableFromInline protocol ReducingStage: ConsumingStage {
  /// The type of errors that the user's closure can throw.
  associatedtype Thrown: Error = Never

  var reduction: Reduction<Input, Downstream.Input, Thrown> { get }

  /// The result so far.
  var result: Memory<Downstream.Input?> { get }

  /// Ends the stream with the error that the closure has thrown.
  func fail(with error: Thrown)
}

extension ReducingStage {
  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    do throws(Thrown) {
      if try reduction.take(input, result) { publishResult { $0.cancel() } }
    } catch {
      fail(with: error)
    }
    return .none
  }

  @inlinable
  func end(with completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .finished: publishResult { _ in }
    case .failure: if relay.isActive { passEnd(completion) }
    }
  }

  @inlinable
  func publishResult(_ letGo: (any Subscription) -> Void) {
    guard relay.isActive, let upstream = relay.detach().upstream else { return }
    letGo(upstream)
    relay.keep(result.exchange(with: nil), for: downstream)
  }
}

extension ReducingStage where Thrown == Never {
  @inlinable func fail(with error: Never) {}
}

@usableFromInline struct ReductionStage<Input, Downstream: Subscriber>: ReducingStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: ResultRelay<Downstream>
  @usableFromInline let reduction: Reduction<Input, Downstream.Input, Never>
  @usableFromInline let result: Memory<Downstream.Input?>

  @inlinable
  init(
    name: StaticString, downstream: Downstream,
    _ reduction: Reduction<Input, Downstream.Input, Never>
  ) {
    (self.downstream, self.reduction) = (downstream, reduction)
    relay = ResultRelay(name)
    result = Memory(reduction.initial)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { end(with: completion) }
}

@usableFromInline
struct TryReductionStage<Input, Failure: Error, Downstream: Subscriber>: ThrowingStage,
  ReducingStage
where Downstream.Failure == any Error {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: ResultRelay<Downstream>
  @usableFromInline let reduction: Reduction<Input, Downstream.Input, any Error>
  @usableFromInline let result: Memory<Downstream.Input?>

  @inlinable
  init(
    name: StaticString, downstream: Downstream,
    _ reduction: Reduction<Input, Downstream.Input, any Error>
  ) {
    (self.downstream, self.reduction) = (downstream, reduction)
    relay = ResultRelay(name)
    result = Memory(reduction.initial)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    end(with: completion.erasingFailure())
  }
}
