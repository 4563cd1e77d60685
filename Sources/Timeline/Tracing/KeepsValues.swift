import Streams

/// An operator whose values aren't always made of what's being delivered: it keeps values, makes
/// one of several, or has others for the end of upstream.
///
/// When it has delivered a value, the record has to know which values that one is made of. So a
/// pipeline that's recorded gets the same operator over an upstream that knows more (``carrier``)
/// instead. Nothing else changes: it's the operator's own code that keeps and chooses values.
///
/// An operator that delivers each value at once, on the way through, needs none of this.
protocol KeepsValues<Output, Failure>: Publisher {
  associatedtype Carrier: Publisher where Carrier.Failure == Failure

  /// The same operator, over values that know their origins.
  var carrier: Carrier { get }

  /// Turns what the carrier delivers into a value and its origins.
  static func open(_ output: Carrier.Output) -> Traced<Output>
}

extension KeepsValues where Carrier.Output == Traced<Output> {
  static func open(_ output: Traced<Output>) -> Traced<Output> { output }
}

extension KeepsValues where Carrier.Output == Output {
  static func open(_ output: Output) -> Traced<Output> { Traced(output, Timeline.origins) }
}

extension KeepsValues {
  /// Attaches a subscriber to the carrier.
  ///
  /// - Parameter subscriber: A subscriber of this operator's values.
  fileprivate func attachToCarrier(_ subscriber: Any) -> Bool {
    guard let subscriber = subscriber as? any Subscriber<Output, Failure> else { return false }
    carrier.receive(subscriber: PassingSubscriber(subscriber, opening: Self.open))
    return true
  }
}

/// Attaches subscribers to carriers, in code whose timeline traces values. It's installed as long
/// as there's such a timeline.
struct ValueTracer: AttachingTool {
  /// How many timelines trace values.
  private static let users = Locked(0)

  /// Notes that a timeline begins to trace values.
  static func begin() {
    users.withLock { users in
      users += 1
      if users == 1 { ValueTracer().install() }
    }
  }

  /// Notes that such a timeline has ended.
  static func end() {
    users.withLock { users in
      users -= 1
      if users == 0 { ValueTracer.uninstall() }
    }
  }

  func attaches(to type: any Publisher.Type) -> Bool {
    Timeline.tracesValues && (type is any KeepsValues.Type || Timeline.automaticLanes != nil)
  }

  func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P) -> Bool
  where S.Input == P.Output, S.Failure == P.Failure {
    if Timeline.automaticLanes?.attach(subscriber, to: publisher) == true { return true }
    return (publisher as? any KeepsValues)?.attachToCarrier(subscriber) ?? false
  }
}
