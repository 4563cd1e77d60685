import Streams

/// Two subjects through an operator that combines them into one stream.
///
/// A value passes two gates here: the subject's, and the operator's, which lets one thread through
/// at a time. Entering and leaving a gate takes one atomic read-modify-write each, about 5 ns. A
/// loop that does only that around the calls is the floor: 12 times the plain loop for `zip`, 10
/// for `combineLatest`, 12 for `merge`, 13 for `switchToLatest`. For a sequence, there's only the
/// operator's gate: 8 times. `zip` and `combineLatest` also take a lock, for each value and after
/// each delivery, which isn't counted here.
enum CombiningWorkloads {
  private static let count = 300_000

  static var all: [Workload] {
    let add = Closures.add()
    let addBoth: (Int, Int) -> Void = { add($0 &+ $1) }
    return [
      workload("zip", target: 14, loop: pairs(addBoth)) {
        $0.zip($1).sink { addBoth($0, $1) }
      },
      workload("combineLatest", target: 13, loop: latest(addBoth)) {
        $0.combineLatest($1).sink { addBoth($0, $1) }
      },
      workload("merge", target: 15, loop: each(add)) { $0.merge(with: $1).sink(receiveValue: add) },
      switching(add),
      flattening("flatMap { Just }", .unlimited, add),
      flattening("flatMap(1) { Just }", .max(1), add),
      flatteningSequences(add),
    ]
  }

  private typealias Subject = PassthroughSubject<Int, Never>

  private static func workload(
    _ name: String, target: Double, loop: @escaping () -> Void,
    attach: (Subject, Subject) -> AnyCancellable
  ) -> Workload {
    let (first, second) = (Subject(), Subject())
    let cancellable = attach(first, second)
    return Workload(
      name: "two subjects, \(name), sink", values: count, target: target, loop: loop,
      streams: {
        for value in 0..<count {
          first.send(value)
          second.send(value)
        }
        withExtendedLifetime(cancellable) {}
      })
  }

  private static func switching(_ add: @escaping (Int) -> Void) -> Workload {
    let subjects = PassthroughSubject<Subject, Never>()
    let cancellable = subjects.switchToLatest().sink(receiveValue: add)
    let subject = Subject()
    subjects.send(subject)
    return Workload(
      name: "a subject, switchToLatest, sink", values: count, target: 14,
      loop: { for value in 0..<count { add(value) } },
      streams: {
        for value in 0..<count { subject.send(value) }
        withExtendedLifetime(cancellable) {}
      })
  }

  private static func flattening(
    _ name: String, _ maxPublishers: Subscribers.Demand, _ add: @escaping (Int) -> Void
  ) -> Workload {
    let increment = Closures.increment()
    return Workload(
      name: "sequence, \(name), sink", values: count, target: 17,
      loop: { for value in 0..<count { add(increment(value)) } },
      streams: {
        (0..<count).publisher.flatMap(maxPublishers: maxPublishers) { Just(increment($0)) }
          .sink(receiveValue: add).cancel()
      })
  }

  private static func flatteningSequences(_ add: @escaping (Int) -> Void) -> Workload {
    let increment = Closures.increment()
    return Workload(
      name: "sequence, flatMap { sequence of 1 }, sink", values: count, target: 17,
      loop: { for value in 0..<count { add(increment(value)) } },
      streams: {
        (0..<count).publisher.flatMap { CollectionOfOne(increment($0)).publisher }
          .sink(receiveValue: add).cancel()
      })
  }

  // MARK: The same work with arrays and variables

  private static func pairs(_ addBoth: @escaping (Int, Int) -> Void) -> () -> Void {
    {
      var waiting: [Int] = []
      for value in 0..<count {
        waiting.append(value)
        addBoth(waiting.removeLast(), value)
      }
    }
  }

  private static func latest(_ addBoth: @escaping (Int, Int) -> Void) -> () -> Void {
    {
      var other = 0
      for value in 0..<count {
        addBoth(value, other)
        other = value
        addBoth(value, other)
      }
    }
  }

  private static func each(_ add: @escaping (Int) -> Void) -> () -> Void {
    {
      for value in 0..<count {
        add(value)
        add(value)
      }
    }
  }
}
