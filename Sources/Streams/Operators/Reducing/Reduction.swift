/// A way to reduce many values to one result: what to start with, and how to take in a value.
@usableFromInline struct Reduction<Input, Output, Thrown: Error> {
  /// What to publish if no value comes. `nil` publishes nothing.
  @usableFromInline let initial: Output?

  /// Takes a value into the result so far. Returns whether no later value can change the result.
  @usableFromInline let take: (Input, Memory<Output?>) throws(Thrown) -> Bool

  @inlinable
  init(initial: Output?, take: @escaping (Input, Memory<Output?>) throws(Thrown) -> Bool) {
    (self.initial, self.take) = (initial, take)
  }

  /// For `reduce`, `count` and their relatives: a closure makes the next result from the last one.
  @inlinable
  static func fold(
    _ initial: Output, _ nextResult: @escaping (Output, Input) throws(Thrown) -> Output
  ) -> Reduction {
    Reduction(initial: initial) { input, result throws(Thrown) in
      result.value = try nextResult(result.value ?? initial, input)
      return false
    }
  }
}

extension Reduction where Output == Bool {
  /// For `contains` and its relatives.
  @inlinable
  static func contains(where predicate: @escaping (Input) throws(Thrown) -> Bool) -> Reduction {
    Reduction(initial: false) { input, result throws(Thrown) in
      guard try predicate(input) else { return false }
      result.value = true
      return true
    }
  }

  /// For `allSatisfy` and `tryAllSatisfy`.
  @inlinable
  static func allSatisfy(_ predicate: @escaping (Input) throws(Thrown) -> Bool) -> Reduction {
    Reduction(initial: true) { input, result throws(Thrown) in
      if try predicate(input) { return false }
      result.value = false
      return true
    }
  }
}

extension Reduction where Output == Input {
  /// For `first` and its relatives.
  @inlinable
  static func first(where predicate: @escaping (Input) throws(Thrown) -> Bool) -> Reduction {
    Reduction(initial: nil) { input, result throws(Thrown) in
      guard try predicate(input) else { return false }
      result.value = input
      return true
    }
  }

  /// For `last` and its relatives.
  @inlinable
  static func last(where predicate: @escaping (Input) throws(Thrown) -> Bool) -> Reduction {
    Reduction(initial: nil) { input, result throws(Thrown) in
      if try predicate(input) { result.value = input }
      return false
    }
  }

  /// For `max`, `min` and their relatives. Of equal values, it keeps the first.
  @inlinable
  static func greatest(
    by areInIncreasingOrder: @escaping (Input, Input) throws(Thrown) -> Bool
  ) -> Reduction {
    Reduction(initial: nil) { input, result throws(Thrown) in
      if let greatest = result.value, try !areInIncreasingOrder(greatest, input) { return false }
      result.value = input
      return false
    }
  }
}

/// The stage of an operator that publishes one result, when upstream finishes or as soon as the
/// result is known.
///
/// It requests all values as soon as downstream has its subscription, and keeps the result until
/// downstream requests one. If it needs no more values, it cancels upstream at once, even if
/// downstream hasn't requested anything. A failure is delivered at once too, and so is an error
/// that the user's closure throws. Source of the rules: Combine's `reduce` and its relatives.
@usableFromInline struct ReductionStage<Input, Downstream: Subscriber>: ConsumingStage {
  @usableFromInline typealias Thrown = Downstream.Failure
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: ResultRelay<Downstream>
  @usableFromInline let reduction: Reduction<Input, Downstream.Input, Thrown>

  /// The result so far.
  @usableFromInline let result: Memory<Downstream.Input?>

  @inlinable
  init(
    _ name: String, _ downstream: Downstream,
    _ reduction: Reduction<Input, Downstream.Input, Thrown>
  ) {
    (self.downstream, self.reduction) = (downstream, reduction)
    relay = ResultRelay(name)
    result = Memory(reduction.initial)
  }

  @inlinable
  init(
    _ name: String, _ downstream: Downstream,
    _ reduction: Reduction<Input, Downstream.Input, Never>
  ) {
    self.init(
      name, downstream,
      // Not `allowingErrors`: Swift 6.3.1 crashes when it converts a `throws(Never)` here.
      Reduction(initial: reduction.initial) { input, result throws(Thrown) in
        reduction.take(input, result)
      })
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    do throws(Thrown) {
      if try reduction.take(input, result) { publishResult { $0.cancel() } }
    } catch {
      endEarly(.failure(error))
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
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
