import TestSupport

/// A signal of a stream of numbers.
enum Signal: Hashable, Sendable, CustomStringConvertible {
  case value(Int)
  case finished
  case failure(TestError)

  var isEnd: Bool { if case .value = self { false } else { true } }

  var description: String {
    switch self {
    case .value(let value): "value \(value)"
    case .finished: "finished"
    case .failure(let error): "failure \(error)"
    }
  }
}

/// A signal and the moment at which a subscriber receives it.
struct TimedSignal: Sendable, CustomStringConvertible {
  var moment: Moment
  var signal: Signal

  init(_ moment: Moment, _ signal: Signal) {
    self.moment = moment
    self.signal = signal
  }

  /// Such as `10 value 3`.
  var description: String { "\(moment.time) \(signal)" }
}

/// The model of one subscription: everything a subscriber receives, in order.
struct StreamRun: Sendable {
  /// When the subscriber gets its subscription.
  var subscription: Moment

  /// The values, and then the end if there is one.
  var signals: [TimedSignal]

  init(_ subscription: Moment, _ signals: [TimedSignal]) {
    self.subscription = subscription
    // Leaves out what never comes.
    self.signals = signals.filter { $0.moment.time < Moment.never.time }
  }
}

/// When a stream begins.
struct Start: Sendable {
  /// When the publisher is subscribed to.
  var subscribed: Moment

  /// The moment from which on everything is requested. It may be the same one.
  var requested: Moment

  init(_ subscribed: Moment, requested: Moment) {
    self.subscribed = subscribed
    // A request that comes earlier waits for the subscription.
    self.requested = max(subscribed, requested)
  }

  /// Subscribes and requests everything at once.
  init(_ moment: Moment) { self.init(moment, requested: moment) }

  /// When a publisher that hands over a subscription of its own at once does that. Everything else
  /// it does has a later step.
  var handOver: Moment { subscribed.step(0) }

  /// When the call that subscribes returns: later than all that happens within it.
  var attached: Moment { subscribed.step(.max) }

  /// Whether everything is requested on subscribing.
  var isImmediate: Bool { requested == subscribed }

  /// A start within this one, such as that of one of several upstreams.
  func step(_ number: Int) -> Start {
    isImmediate
      ? Start(subscribed.step(number))
      : Start(subscribed.step(number), requested: requested.step(number))
  }

  /// The start of a publisher that takes over at a moment.
  func continued(at moment: Moment) -> Start {
    Start(moment, requested: max(moment, requested))
  }
}

/// The model of a publisher: what a subscriber receives, as a function of when it subscribes.
struct StreamModel {
  /// The publisher, for models that request it bit by bit.
  var pipeline: Pipeline?

  private let run: (Start) -> StreamRun

  init(_ pipeline: Pipeline? = nil, _ run: @escaping (Start) -> StreamRun) {
    self.pipeline = pipeline
    self.run = run
  }

  func callAsFunction(_ start: Start) -> StreamRun { run(start) }
}
