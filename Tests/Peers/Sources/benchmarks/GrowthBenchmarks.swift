import Streams

/// The cost of one subscriber at a publisher with many. It should be the same for any number of
/// them.
struct Growth {
  let name: String
  /// Runs the benchmark for a number of subscribers, and returns its nanoseconds.
  let measure: (_ subscribers: Int) -> Double

  /// The nanoseconds per subscriber at each number of subscribers, the best of three runs.
  func nanoseconds(at sizes: [Int]) -> [Double] {
    sizes.map { size in (0..<3).map { _ in measure(size) / Double(size) }.min() ?? 0 }
  }
}

extension Growth {
  static let sizes = [10_000, 20_000, 40_000]

  static var all: [Growth] {
    on("PassthroughSubject") { PassthroughSubject<Int, Never>() }
      + on("CurrentValueSubject") { CurrentValueSubject<Int, Never>(0) }
      + on("Future") { Future<Int, Never> { _ in } }
  }

  private static func on<P: Publisher>(_ name: String, _ make: @escaping () -> P) -> [Growth]
  where P.Output == Int, P.Failure == Never {
    [
      Growth(name: "\(name), join") { count in
        let publisher = make()
        var sinks: [AnyCancellable] = []
        sinks.reserveCapacity(count)
        defer { for sink in sinks { sink.cancel() } }
        return elapsed {
          for _ in 0..<count { sinks.append(publisher.sink { Closures.total &+= $0 }) }
        }
      },
      Growth(name: "\(name), request") { count in
        let publisher = make()
        let requesters = (0..<count).map { _ in Requester() }
        for requester in requesters { publisher.subscribe(requester) }
        defer { for requester in requesters { requester.subscription?.cancel() } }
        return elapsed {
          for requester in requesters { requester.subscription?.request(.max(1)) }
        }
      },
      Growth(name: "\(name), leave") { count in
        let publisher = make()
        let sinks = (0..<count).map { _ in publisher.sink { Closures.total &+= $0 } }
        return elapsed {
          for sink in sinks { sink.cancel() }
        }
      },
    ]
  }
}

/// A subscriber that requests values only through its `subscription`.
private final class Requester: Subscriber {
  var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    Closures.total &+= input
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }
}
