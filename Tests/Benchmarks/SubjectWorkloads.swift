import Streams

/// A subject through map, filter and sink, for some subscribers.
enum SubjectWorkloads {
  static var all: [Workload] { [1, 10, 100].map(workload) + [sharing(subscribers: 8)] }

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
}
