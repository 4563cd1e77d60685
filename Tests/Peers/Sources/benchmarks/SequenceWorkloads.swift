import Streams
import Synchronization

/// A sequence through map, filter, map and sink, and through handleEvents.
enum SequenceWorkloads {
  static let count = 1_000_000

  static var all: [Workload] {
    let triple = Closures.triple()
    let isIncluded = Closures.isNotMultipleOfFour()
    let increment = Closures.increment()
    let add = Closures.add()
    let loop = { Self.loop(triple, isIncluded, increment, add) }
    return [
      // The smallest correct loop, which is the next workload, takes 1.3 to 1.4 times as long as
      // the plain one. A chain also looks at the end of the sequence, of the filter and of the
      // sink.
      Workload(
        name: "sequence, map, filter, map, sink", values: count, target: 1.75, loop: loop,
        streams: { chain(triple, isIncluded, increment, add) }),
      Workload(
        name: "the same in a loop that can be cancelled", values: count, target: 1.5, loop: loop,
        streams: { cancellableLoop(triple, isIncluded, increment, add) }),
      Workload(
        name: "the same, literal closures", values: count, target: 0.8, loop: loop,
        streams: literalChain),
      Workload(
        name: "the same, as written (eager)", values: count, target: 4, loop: loop,
        streams: { eagerChain(triple, isIncluded, increment, add) }),
      Workload(
        name: "sequence, handleEvents, sink", values: count, target: 3,
        loop: { for value in 0..<count { handleAndAdd(value, add) } },
        streams: {
          (0..<count).publisher.handleEvents(receiveOutput: add).sink(receiveValue: add).cancel()
        }),
    ]
  }

  private static func handleAndAdd(_ value: Int, _ add: (Int) -> Void) {
    add(value)
    add(value)
  }

  @inline(never)
  private static func loop(
    _ triple: (Int) -> Int, _ isIncluded: (Int) -> Bool, _ increment: (Int) -> Int,
    _ add: (Int) -> Void
  ) {
    for value in 0..<count {
      let tripled = triple(value)
      if isIncluded(tripled) { add(increment(tripled)) }
    }
  }

  /// The least that a loop has to do, to end when it's cancelled and to release its last closure
  /// then.
  @inline(never)
  private static func cancellableLoop(
    _ triple: (Int) -> Int, _ isIncluded: (Int) -> Bool, _ increment: (Int) -> Int,
    _ add: @escaping (Int) -> Void
  ) {
    let end = End(add)
    for value in 0..<count {
      if end.isCancelled.load(ordering: .relaxed) { break }
      let tripled = triple(value)
      if isIncluded(tripled) { end.receive(increment(tripled)) }
    }
  }

  @inline(never)
  private static func chain(
    _ triple: @escaping (Int) -> Int, _ isIncluded: @escaping (Int) -> Bool,
    _ increment: @escaping (Int) -> Int, _ add: @escaping (Int) -> Void
  ) {
    (0..<count).publisher.lazily.map(triple).filter(isIncluded).map(increment)
      .sink(receiveValue: add).cancel()
  }

  @inline(never)
  private static func literalChain() {
    (0..<count).publisher.lazily.map { $0 &* 3 }.filter { $0 & 3 != 0 }.map { $0 &+ 1 }
      .sink { Closures.total &+= $0 }.cancel()
  }

  @inline(never)
  private static func eagerChain(
    _ triple: @escaping (Int) -> Int, _ isIncluded: @escaping (Int) -> Bool,
    _ increment: @escaping (Int) -> Int, _ add: @escaping (Int) -> Void
  ) {
    (0..<count).publisher.map(triple).filter(isIncluded).map(increment)
      .sink(receiveValue: add).cancel()
  }
}

/// Keeps a closure for values of any type. Swift wraps a closure that's stored like this, so each
/// call passes through one more function.
private final class End<Value> {
  let isCancelled = Atomic<Bool>(false)
  let receive: (Value) -> Void

  @inline(never)
  init(_ receive: @escaping (Value) -> Void) { self.receive = receive }
}

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
