import StreamsFoundation
import VirtualTime

/// A subscriber that records what it receives and when, as lines to compare.
final class Recorder: Subscriber, Sendable {
  typealias Input = URLSession.DataTaskPublisher.Output
  typealias Failure = URLError

  private struct State {
    var lines: [String] = []
    var subscription: (any Subscription)?
  }

  private let clock: VirtualTimeScheduler
  private let demand: Subscribers.Demand
  private let onLine: @Sendable (Recorder, String) -> Void
  private let state = Locked(State())

  init(
    _ clock: VirtualTimeScheduler, demand: Subscribers.Demand = .unlimited,
    onLine: @escaping @Sendable (Recorder, String) -> Void = { _, _ in }
  ) {
    self.clock = clock
    self.demand = demand
    self.onLine = onLine
  }

  var lines: [String] { state.withLock { $0.lines } }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  func cancel() { state.withLock { $0.subscription }?.cancel() }

  func releaseSubscription() { _ = state.withLock { $0.subscription.take() } }

  func receive(subscription: any Subscription) {
    state.withLock { $0.subscription = subscription }
    write("subscription \(subscription)")
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let status = (input.response as? HTTPURLResponse)?.statusCode ?? 0
    write("value \(status) \(String(decoding: input.data, as: UTF8.self))")
    return .none
  }

  func receive(completion: Subscribers.Completion<URLError>) {
    switch completion {
    case .finished: write("finished")
    case .failure(let error): write("failure \(error.code)")
    }
  }

  private func write(_ event: String) {
    let line = "\(clock.now) \(event)"
    state.withLock { $0.lines.append(line) }
    onLine(self, line)
  }
}

extension URL {
  /// Returns the URL of a path below `https://example.com/`.
  static func example(_ path: String) -> URL { URL(string: "https://example.com/" + path)! }
}
