import Streams
import TestSupport
import VirtualTime

/// The subscriber of a run: it follows a plan of demand and cancellation, and records each signal
/// with its time.
///
/// Only the thread that moves the clock uses it.
final class PipelineRecorder: Subscriber, Cancellable, Fixture {
  typealias Input = Int
  typealias Failure = TestError

  /// All signals after the subscription, such as `10 value 3`.
  private(set) var lines: [String] = []

  private let clock: VirtualTimeScheduler
  private let perValue: Subscribers.Demand
  private let cancelAfter: Int?
  private let onSignal: (String, Bool) -> Void
  private var owed: Subscribers.Demand
  private var subscription: (any Subscription)?
  private var valueCount = 0
  private var isCancelled = false
  private var hasEnded = false

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - clock: The clock whose time is recorded.
  ///   - demand: The demand to request on receiving the subscription.
  ///   - perValue: The demand to return for each value.
  ///   - cancelAfter: The value to cancel at, within its delivery, counted from 1.
  ///   - onSignal: Called with each line.
  init(
    on clock: VirtualTimeScheduler, demand: Subscribers.Demand = .unlimited,
    perValue: Subscribers.Demand = .none, cancelAfter: Int? = nil,
    onSignal: @escaping (_ line: String, _ isEnd: Bool) -> Void = { _, _ in }
  ) {
    self.clock = clock
    self.perValue = perValue
    self.cancelAfter = cancelAfter
    self.onSignal = onSignal
    owed = demand
    register()
  }

  /// Cancels, and releases the subscription, which keeps this recorder alive.
  func letGo() {
    cancel()
    subscription = nil
  }

  /// Requests more values, or adds them to the first request if there's no subscription yet.
  func request(_ demand: Subscribers.Demand) {
    if let subscription { subscription.request(demand) } else { owed += demand }
  }

  /// Requests everything that is left.
  func requestRest(_ rest: DemandPlan.Rest) {
    switch rest {
    case .unlimited: request(.unlimited)
    case .oneByOne:
      // Each request brings a signal, up to the end.
      var count: Int
      repeat {
        count = lines.count
        request(.max(1))
      } while lines.count > count && !hasEnded
    }
  }

  func cancel() {
    isCancelled = true
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if isCancelled {
      subscription.cancel()
    } else if owed > .none {
      subscription.request(owed)
    }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    record(.value(input))
    valueCount += 1
    if valueCount == cancelAfter { cancel() }
    return perValue
  }

  func receive(completion: Subscribers.Completion<TestError>) {
    hasEnded = true
    switch completion {
    case .finished: record(.finished)
    case .failure(let error): record(.failure(error))
    }
  }

  private func record(_ signal: Signal) {
    lines.append("\(clock.now.nanoseconds / 1_000_000) \(signal)")
    onSignal(lines.last!, signal.isEnd)
  }
}
