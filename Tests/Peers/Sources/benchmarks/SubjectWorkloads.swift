import Streams

/// Subjects: sending values through map, filter and sink to several subscribers, and subscribing.
enum SubjectWorkloads {
  static var all: [Workload] {
    [1, 10, 100].map(workload) + [
      currentValue, sharing(subscribers: 8),
      settingUp("Just", target: 4) { Just(1).map($0).sink(receiveValue: $1).cancel() },
      settingUpOnASubject,
    ]
  }

  private static func workload(subscribers: Int) -> Workload {
    let count = 1_000_000 / subscribers
    let triple = Closures.triple()
    let isIncluded = Closures.isNotMultipleOfFour()
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let cancellables = (0..<subscribers).map { _ in
      subject.map(triple).filter(isIncluded).sink(receiveValue: add)
    }
    return Workload(
      name: "subject, map, filter, sink, \(subscribers) subscribers", values: count, target: 3.5,
      loop: {
        for value in 0..<count {
          for _ in 0..<subscribers {
            let tripled = triple(value)
            if isIncluded(tripled) { add(tripled) }
          }
        }
      },
      streams: {
        for value in 0..<count { subject.send(value) }
        withExtendedLifetime(cancellables) {}
      })
  }

  private static func sharing(subscribers: Int) -> Workload {
    let count = 1_000_000 / subscribers
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share()
    let cancellables = (0..<subscribers).map { _ in shared.sink(receiveValue: add) }
    return Workload(
      name: "subject, share, sink, \(subscribers) subscribers", values: count, target: 3,
      loop: {
        for value in 0..<count {
          for _ in 0..<subscribers { add(value) }
        }
      },
      streams: {
        for value in 0..<count { subject.send(value) }
        withExtendedLifetime(cancellables) {}
      })
  }

  private static var currentValue: Workload {
    let count = 1_000_000
    let triple = Closures.triple()
    let add = Closures.add()
    let subject = CurrentValueSubject<Int, Never>(0)
    let cancellable = subject.map(triple).sink(receiveValue: add)
    return Workload(
      name: "current value, map, sink", values: count, target: 4,
      loop: { for value in 0..<count { add(triple(value)) } },
      streams: {
        for value in 0..<count { subject.send(value) }
        withExtendedLifetime(cancellable) {}
      })
  }

  private static var settingUpOnASubject: Workload {
    let subject = PassthroughSubject<Int, Never>()
    return settingUp("subject", target: 6) { transform, add in
      let cancellable = subject.map(transform).sink(receiveValue: add)
      subject.send(1)
      cancellable.cancel()
    }
  }

  /// Sets up a chain for one value and cancels it.
  ///
  /// Instead of subscribing, the loop makes two small objects, each around one of the closures, and
  /// calls through them. That's the lowest possible cost of subscribing by hand.
  private static func settingUp(
    _ source: String, target: Double,
    _ subscribe: @escaping (@escaping (Int) -> Int, @escaping (Int) -> Void) -> Void
  ) -> Workload {
    let count = 100_000
    let triple = Closures.triple()
    let add = Closures.add()
    return Workload(
      name: "\(source), map, sink, set up and cancel", values: count, target: target,
      loop: { for _ in 0..<count { HandWrittenMap(HandWrittenSink(add), triple).receive(1) } },
      streams: { for _ in 0..<count { subscribe(triple, add) } })
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
