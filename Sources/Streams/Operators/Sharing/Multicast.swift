extension Publisher {
  /// Shares one subscription to this publisher with any number of subscribers, through a subject
  /// that your closure creates.
  ///
  /// - Parameter createSubject: Creates the subject. Called when the first subscriber attaches or
  ///   you first call `connect()`.
  /// - Returns: A publisher that subscribes to this one on each `connect()`, with the demand of its
  ///   subject.
  public func multicast<S>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher with any number of subscribers, through a subject.
  ///
  /// - Parameter subject: The subject that the values go through.
  /// - Returns: A publisher that subscribes to this one on each `connect()`, with the demand of its
  ///   subject.
  public func multicast<S>(subject: S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }

  /// Attaches a subject, which then publishes everything that this publisher does.
  ///
  /// - Parameter subject: Receives the subscription, the values and the completion. Held weakly.
  /// - Returns: A cancellable that detaches the subject when it's cancelled or released. Keep it.
  public func subscribe<S>(_ subject: S) -> AnyCancellable
  where S: Subject, Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectFeed(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

extension Publishers {
  /// A publisher that shares one subscription through a subject; see
  /// ``Publisher/multicast(_:)-(_)``.
  ///
  /// Subscribers attach to the subject. Each `connect()` makes a bridge from upstream to the
  /// subject. The bridge ends with upstream or when you cancel the connection, and the subject then
  /// forgets it. Any thread can subscribe and connect. Subscribers keep the subject alive, even
  /// after this publisher is released.
  public final class Multicast<Upstream, SubjectType>: ConnectablePublisher
  where
    Upstream: Publisher, SubjectType: Subject, Upstream.Failure == SubjectType.Failure,
    Upstream.Output == SubjectType.Output
  {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let createSubject: () -> SubjectType

    private let madeSubject = Locked<SubjectType?>(nil)

    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      (self.upstream, self.createSubject) = (upstream, createSubject)
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      subject.attach(MulticastStage(downstream: subscriber))
    }

    /// Subscribes to upstream. Each call subscribes again.
    ///
    /// - Returns: A cancellable that cancels that subscription when it's cancelled or released.
    public func connect() -> any Cancellable { upstream.subscribe(subject) }

    var subject: SubjectType {
      if let made = madeSubject.withLock({ $0 }) { return made }
      // Created outside the lock, because that runs the user's code. If two threads create a
      // subject, both use the one that is stored first.
      let subject = createSubject()
      return madeSubject.withLock { made in
        if let made { return made }
        made = subject
        return subject
      }
    }
  }
}

/// Gives each subscriber its own end: after it cancels, it receives nothing more, with any type of
/// subject. The subject decides whether a request for zero values traps.
struct MulticastStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  let downstream: Downstream
  let relay = RelaySubscription("Multicast", trapsOnNoDemand: false)

  init(downstream: Downstream) { self.downstream = downstream }

  func receive(_ input: Input) -> Subscribers.Demand {
    relay.isActive ? downstream.receive(input) : .none
  }
}
