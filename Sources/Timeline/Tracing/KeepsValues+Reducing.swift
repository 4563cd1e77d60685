import Streams

// These make one value of several.

extension Publishers.Collect: KeepsValues {
  var carrier: Publishers.Collect<Tracing<Upstream>> {
    Publishers.Collect(upstream: Tracing(upstream))
  }

  static func open(_ values: [Traced<Upstream.Output>]) -> Traced<Output> { values.joined() }
}

extension Publishers.CollectByCount: KeepsValues {
  var carrier: Publishers.CollectByCount<Tracing<Upstream>> {
    Publishers.CollectByCount(upstream: Tracing(upstream), count: count)
  }

  static func open(_ values: [Traced<Upstream.Output>]) -> Traced<Output> { values.joined() }
}

extension Array {
  /// An array of values, which is made of all of them.
  func joined<Value>() -> Traced<[Value]> where Element == Traced<Value> {
    Traced(map(\.value), map(\.origins).joined())
  }
}

// These make results of which only their closures know what's in them.

extension Publishers.Scan: KeepsValues {
  var carrier: Publishers.Scan<Tracing<Upstream>, Accumulation<Output>> {
    Publishers.Scan(upstream: Tracing(upstream), initialResult: Accumulation(initialResult)) {
      $0.next(nextPartialResult($0.value, $1.value), $1)
    }
  }

  static func open(_ result: Accumulation<Output>) -> Traced<Output> { result.heldAndNewest }
}

extension Publishers.TryScan: KeepsValues {
  var carrier: Publishers.TryScan<Tracing<Upstream>, Accumulation<Output>> {
    Publishers.TryScan(upstream: Tracing(upstream), initialResult: Accumulation(initialResult)) {
      $0.next(try nextPartialResult($0.value, $1.value), $1)
    }
  }

  static func open(_ result: Accumulation<Output>) -> Traced<Output> { result.heldAndNewest }
}

extension Publishers.Reduce: KeepsValues {
  var carrier: Publishers.Reduce<Tracing<Upstream>, Accumulation<Output>> {
    Publishers.Reduce(upstream: Tracing(upstream), initial: Accumulation(initial)) {
      $0.next(nextPartialResult($0.value, $1.value), $1)
    }
  }

  static func open(_ result: Accumulation<Output>) -> Traced<Output> { result.held }
}

extension Publishers.TryReduce: KeepsValues {
  var carrier: Publishers.TryReduce<Tracing<Upstream>, Accumulation<Output>> {
    Publishers.TryReduce(upstream: Tracing(upstream), initial: Accumulation(initial)) {
      $0.next(try nextPartialResult($0.value, $1.value), $1)
    }
  }

  static func open(_ result: Accumulation<Output>) -> Traced<Output> { result.held }
}

// These choose a value.

extension Publishers.Comparison: KeepsValues {
  var carrier: Publishers.Comparison<Tracing<Upstream>> {
    Publishers.Comparison(upstream: Tracing(upstream)) { areInIncreasingOrder($0.value, $1.value) }
  }
}

extension Publishers.TryComparison: KeepsValues {
  var carrier: Publishers.TryComparison<Tracing<Upstream>> {
    Publishers.TryComparison(upstream: Tracing(upstream)) {
      try areInIncreasingOrder($0.value, $1.value)
    }
  }
}

extension Publishers.First: KeepsValues {
  var carrier: Publishers.First<Tracing<Upstream>> {
    Publishers.First(upstream: Tracing(upstream))
  }
}

extension Publishers.FirstWhere: KeepsValues {
  var carrier: Publishers.FirstWhere<Tracing<Upstream>> {
    Publishers.FirstWhere(upstream: Tracing(upstream)) { predicate($0.value) }
  }
}

extension Publishers.TryFirstWhere: KeepsValues {
  var carrier: Publishers.TryFirstWhere<Tracing<Upstream>> {
    Publishers.TryFirstWhere(upstream: Tracing(upstream)) { try predicate($0.value) }
  }
}

extension Publishers.Last: KeepsValues {
  var carrier: Publishers.Last<Tracing<Upstream>> {
    Publishers.Last(upstream: Tracing(upstream))
  }
}

extension Publishers.LastWhere: KeepsValues {
  var carrier: Publishers.LastWhere<Tracing<Upstream>> {
    Publishers.LastWhere(upstream: Tracing(upstream)) { predicate($0.value) }
  }
}

extension Publishers.TryLastWhere: KeepsValues {
  var carrier: Publishers.TryLastWhere<Tracing<Upstream>> {
    Publishers.TryLastWhere(upstream: Tracing(upstream)) { try predicate($0.value) }
  }
}
