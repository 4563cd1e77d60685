import Dispatch
import PeerSupport

/// Chains behind subjects. The figure is the time per value that is sent.
enum Subjects {
  private static let count = 100_000

  static var all: [Workload] {
    [1, 10, 100].map(passthrough) + [currentValue, shared, zipped, switched, queued]
  }

  private static func passthrough(subscribers: Int) -> Workload {
    let count = count / subscribers
    let triple = Closures.triple()
    let isIncluded = Closures.isNotMultipleOfFour()
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let cancellables = (0..<subscribers).map { _ in
      subject.map(triple).filter(isIncluded).sink(receiveValue: add)
    }
    return Workload(
      "subject, map, filter; subscribers: \(subscribers)", values: count,
      loop: {
        for value in 0..<count {
          for _ in 0..<subscribers {
            let tripled = triple(value)
            if isIncluded(tripled) { add(tripled) }
          }
        }
      }
    ) {
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(cancellables) {}
    }
  }

  private static var currentValue: Workload {
    let triple = Closures.triple()
    let add = Closures.add()
    let subject = CurrentValueSubject<Int, Never>(0)
    let cancellable = subject.map(triple).sink(receiveValue: add)
    return Workload(
      "current value, map", values: count, loop: { for value in 0..<count { add(triple(value)) } }
    ) {
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(cancellable) {}
    }
  }

  private static var shared: Workload {
    let count = count / 8
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share()
    let cancellables = (0..<8).map { _ in shared.sink(receiveValue: add) }
    return Workload(
      "subject, share; subscribers: 8", values: count,
      loop: { for value in 0..<count { for _ in 0..<8 { add(value) } } }
    ) {
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(cancellables) {}
    }
  }

  private static var zipped: Workload {
    let add = Closures.add()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = first.zip(second).sink { add($0 &+ $1) }
    return Workload(
      "two subjects, zip", values: count,
      loop: {
        var waiting: [Int] = []
        for value in 0..<count {
          waiting.append(value)
          add(waiting.removeLast() &+ value)
        }
      }
    ) {
      for value in 0..<count {
        first.send(value)
        second.send(value)
      }
      withExtendedLifetime(cancellable) {}
    }
  }

  private static var switched: Workload {
    let add = Closures.add()
    let subject = PassthroughSubject<Int, Never>()
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let cancellable = outer.switchToLatest().sink(receiveValue: add)
    outer.send(subject)
    return Workload(
      "subject, switchToLatest", values: count, loop: { for value in 0..<count { add(value) } }
    ) {
      for value in 0..<count { subject.send(value) }
      withExtendedLifetime(cancellable) {}
    }
  }

  /// Most of the time is the queue's own, so no library can be far ahead.
  private static var queued: Workload {
    let count = 20_000
    let add = Closures.add()
    let queue = DispatchQueue(label: "peers")
    return Workload(
      // The queue waits until all values are there. Otherwise most of the time goes into waking its
      // thread, and that depends on how fast the queue runs empty, so slower code can look faster.
      "receive(on: serial queue)", values: count,
      loop: {
        queue.suspend()
        for value in 0..<count { queue.async { add(value) } }
        queue.resume()
        queue.sync {}
      }
    ) {
      queue.suspend()
      let cancellable = (0..<count).publisher.lazily.receive(on: queue.scheduler)
        .sink(receiveValue: add)
      queue.resume()
      queue.sync {}
      cancellable.cancel()
    }
  }
}
