import PeerSupport

/// Chains for one value, which are set up and cancelled. The figure is the time per chain.
///
/// Instead of subscribing, the loop makes one small object for each stage, around one of the
/// closures, and calls through them. That's the lowest possible cost of subscribing by hand.
enum SettingUp {
  private static let count = 20_000

  static var all: [Workload] {
    let triple = Closures.triple()
    let isIncluded = Closures.always()
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let loop = { for _ in 0..<count { HandWrittenMap(HandWrittenSink(add), triple).receive(1) } }
    return [
      Workload("Just, map, sink", values: count, loop: loop) {
        for _ in 0..<count { Just(1).lazily.map(triple).sink(receiveValue: add).cancel() }
      },
      Workload("subject, map, sink", values: count, loop: loop) {
        for _ in 0..<count {
          let cancellable = subject.map(triple).sink(receiveValue: add)
          subject.send(1)
          cancellable.cancel()
        }
      },
      Workload("subject, map, filter, scan, sink", values: count, loop: loop) {
        for _ in 0..<count {
          let cancellable = subject.map(triple).filter(isIncluded).scan(0) { $1 }
            .sink(receiveValue: add)
          subject.send(1)
          cancellable.cancel()
        }
      },
    ]
  }
}

/// The sink of a loop that subscribes by hand.
private final class HandWrittenSink {
  private let body: (Int) -> Void

  @inline(never)
  init(_ body: @escaping (Int) -> Void) { self.body = body }

  @inline(never)
  func receive(_ value: Int) { body(value) }
}

/// The map of a loop that subscribes by hand.
private final class HandWrittenMap {
  private let next: HandWrittenSink
  private let transform: (Int) -> Int

  @inline(never)
  init(_ next: HandWrittenSink, _ transform: @escaping (Int) -> Int) {
    self.next = next
    self.transform = transform
  }

  @inline(never)
  func receive(_ value: Int) { next.receive(transform(value)) }
}
