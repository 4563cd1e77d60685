/// A publisher that the compiler doesn't know as a `Publishers.Sequence`. So the operators after it
/// are the general ones, and not those that process the whole sequence at once.
struct Lazily<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  @inline(__always)
  func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    upstream.receive(subscriber: subscriber)
  }
}

extension Publisher {
  var lazily: Lazily<Self> { Lazily(upstream: self) }
}

/// A sequence of numbers, as a chain of operators sees it.
typealias Numbers = Lazily<Publishers.Sequence<Range<Int>, Never>>
