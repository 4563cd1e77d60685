/// A way to reduce many values to one result: it accumulates them, and says when it has enough.
@usableFromInline protocol Reduction {
  associatedtype Input
  associatedtype Accumulated
  associatedtype Output
  /// The type of errors that the user's closure can throw.
  associatedtype Thrown: Error = Never

  /// The value to start with.
  var initial: Accumulated { get }

  /// Accumulates a value.
  ///
  /// - Returns: Whether no later value can change the result.
  func take(_ input: Input, into accumulated: Memory<Accumulated>) throws(Thrown) -> Bool

  /// The result to publish at the end. If it's `nil`, nothing is published.
  func result(of accumulated: Accumulated) -> Output?
}

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
  associatedtype Method: Reduction
  where Method.Input == Input, Method.Output == Downstream.Input

  var method: Method { get }
  var accumulated: Memory<Method.Accumulated> { get }

  /// Ends the stream with the error that the method has thrown.
  func fail(with error: Method.Thrown)
}

extension ReducingStage {
  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    do throws(Method.Thrown) {
      if try method.take(input, into: accumulated) { publishResult { $0.cancel() } }
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
    guard relay.isActive, let upstream = relay.detach() else { return }
    letGo(upstream)
    relay.keep(
      method.result(of: accumulated.exchange(with: method.initial)), for: downstream)
  }
}

extension ReducingStage where Method.Thrown == Never {
  @inlinable func fail(with error: Never) {}
}

@usableFromInline
struct ReductionStage<Method: Reduction, Downstream: Subscriber>: ReducingStage
where Method.Output == Downstream.Input, Method.Thrown == Never {
  @usableFromInline typealias Input = Method.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: ResultRelay<Downstream>
  @usableFromInline let method: Method
  @usableFromInline let accumulated: Memory<Method.Accumulated>

  @inlinable
  init(name: StaticString, downstream: Downstream, method: Method) {
    self.downstream = downstream
    self.method = method
    relay = ResultRelay(name)
    accumulated = Memory(method.initial)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    end(with: completion)
  }
}

@usableFromInline
struct TryReductionStage<Method: Reduction, Failure: Error, Downstream: Subscriber>:
  ThrowingStage, ReducingStage
where
  Method.Output == Downstream.Input, Method.Thrown == any Error, Downstream.Failure == any Error
{
  @usableFromInline typealias Input = Method.Input

  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: ResultRelay<Downstream>
  @usableFromInline let method: Method
  @usableFromInline let accumulated: Memory<Method.Accumulated>

  @inlinable
  init(name: StaticString, downstream: Downstream, method: Method) {
    self.downstream = downstream
    self.method = method
    relay = ResultRelay(name)
    accumulated = Memory(method.initial)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    end(with: completion.erasingFailure())
  }
}
