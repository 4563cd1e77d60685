import Streams

extension Publishers.Zip: KeepsValues {
  var carrier: Publishers.Zip<Tracing<A>, Tracing<B>> { Publishers.Zip(Tracing(a), Tracing(b)) }

  static func open(_ values: (Traced<A.Output>, Traced<B.Output>)) -> Traced<Output> {
    Traced((values.0.value, values.1.value), values.0.origins + values.1.origins)
  }
}

extension Publishers.Zip3: KeepsValues {
  var carrier: Publishers.Zip3<Tracing<A>, Tracing<B>, Tracing<C>> {
    Publishers.Zip3(Tracing(a), Tracing(b), Tracing(c))
  }

  static func open(
    _ values: (Traced<A.Output>, Traced<B.Output>, Traced<C.Output>)
  ) -> Traced<Output> {
    Traced(
      (values.0.value, values.1.value, values.2.value),
      values.0.origins + values.1.origins + values.2.origins)
  }
}

extension Publishers.Zip4: KeepsValues {
  var carrier: Publishers.Zip4<Tracing<A>, Tracing<B>, Tracing<C>, Tracing<D>> {
    Publishers.Zip4(Tracing(a), Tracing(b), Tracing(c), Tracing(d))
  }

  static func open(
    _ values: (Traced<A.Output>, Traced<B.Output>, Traced<C.Output>, Traced<D.Output>)
  ) -> Traced<Output> {
    Traced(
      (values.0.value, values.1.value, values.2.value, values.3.value),
      values.0.origins + values.1.origins + values.2.origins + values.3.origins)
  }
}

extension Publishers.CombineLatest: KeepsValues {
  var carrier: Publishers.CombineLatest<Tracing<A>, Tracing<B>> {
    Publishers.CombineLatest(Tracing(a), Tracing(b))
  }

  static func open(_ values: (Traced<A.Output>, Traced<B.Output>)) -> Traced<Output> {
    Publishers.Zip<A, B>.open(values)
  }
}

extension Publishers.CombineLatest3: KeepsValues {
  var carrier: Publishers.CombineLatest3<Tracing<A>, Tracing<B>, Tracing<C>> {
    Publishers.CombineLatest3(Tracing(a), Tracing(b), Tracing(c))
  }

  static func open(
    _ values: (Traced<A.Output>, Traced<B.Output>, Traced<C.Output>)
  ) -> Traced<Output> {
    Publishers.Zip3<A, B, C>.open(values)
  }
}

extension Publishers.CombineLatest4: KeepsValues {
  var carrier: Publishers.CombineLatest4<Tracing<A>, Tracing<B>, Tracing<C>, Tracing<D>> {
    Publishers.CombineLatest4(Tracing(a), Tracing(b), Tracing(c), Tracing(d))
  }

  static func open(
    _ values: (Traced<A.Output>, Traced<B.Output>, Traced<C.Output>, Traced<D.Output>)
  ) -> Traced<Output> {
    Publishers.Zip4<A, B, C, D>.open(values)
  }
}

// These keep values that aren't requested yet.

extension Publishers.FlatMap: KeepsValues {
  var carrier: Publishers.FlatMap<Tracing<NewPublisher>, Upstream> {
    Publishers.FlatMap(upstream: upstream, maxPublishers: maxPublishers) {
      Tracing(transform($0))
    }
  }
}

// All of these are the same stage, so one type stands for them.

typealias TracedMerge<Output, Failure: Error> =
  Publishers.MergeMany<AnyPublisher<Traced<Output>, Failure>>

extension Publishers.Merge: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b) }
}

extension Publishers.Merge3: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c) }
}

extension Publishers.Merge4: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c, d) }
}

extension Publishers.Merge5: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c, d, e) }
}

extension Publishers.Merge6: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c, d, e, f) }
}

extension Publishers.Merge7: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c, d, e, f, g) }
}

extension Publishers.Merge8: KeepsValues {
  var carrier: TracedMerge<Output, Failure> { traced(a, b, c, d, e, f, g, h) }
}

extension Publishers.MergeMany: KeepsValues {
  var carrier: Publishers.MergeMany<Tracing<Upstream>> {
    Publishers.MergeMany(publishers.map { Tracing($0) })
  }
}

private func traced<Output, Failure>(
  _ publishers: any Publisher<Output, Failure>...
) -> TracedMerge<Output, Failure> {
  func trace(_ publisher: some Publisher<Output, Failure>) -> AnyPublisher<Traced<Output>, Failure>
  {
    AnyPublisher(Tracing(publisher))
  }
  return Publishers.MergeMany(publishers.map { trace($0) })
}
