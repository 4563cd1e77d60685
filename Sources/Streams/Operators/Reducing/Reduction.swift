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
