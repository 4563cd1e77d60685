extension Publisher {
  /// Sends the values of one subscription to this publisher to any number of subscribers, through
  /// a subject made for it.
  ///
  /// - Parameter createSubject: Makes the subject. Called when the first subscriber attaches or you
  ///   first call `connect()`.
  /// - Returns: A publisher that subscribes to this one at each `connect()`, with the demand of its
  ///   subject.
  @inlinable
  public func multicast<S>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends the values of one subscription to this publisher to any number of subscribers, through
  /// a subject.
  ///
  /// - Parameter subject: The subject that the values go through.
  /// - Returns: A publisher that subscribes to this one at each `connect()`, with the demand of its
  ///   subject.
  @inlinable
  public func multicast<S>(subject: S) -> Publishers.Multicast<Self, S>
  where S: Subject, Failure == S.Failure, Output == S.Output {
    multicast { subject }
  }

  /// Lets a subject publish what this publisher does.
  ///
  /// - Parameter subject: Receives the subscription, the values and the completion. Held weakly.
  /// - Returns: Detaches the subject when it's cancelled or released: keep it.
  @inlinable
  public func subscribe<S>(_ subject: S) -> AnyCancellable
  where S: Subject, Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

extension Publishers {
  /// A publisher that shares one subscription through a subject; see
  /// ``Publisher/multicast(_:)-(_)``.
  ///
  /// Its subscribers attach to the subject. Each `connect()` makes one bridge from upstream to the
  /// subject, which ends with upstream or when its cancellable is cancelled; the subject forgets it
  /// then. Any thread may subscribe and connect. Subscribers keep the subject alive without this.
  public final class Multicast<Upstream, SubjectType>: ConnectablePublisher
  where
    Upstream: Publisher, SubjectType: Subject, Upstream.Failure == SubjectType.Failure,
    Upstream.Output == SubjectType.Output
  {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the subject.
    public let createSubject: () -> SubjectType

    private let madeSubject = Locked<SubjectType?>(nil)

    /// Makes the publisher that ``Publisher/multicast(_:)-(_)`` returns.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      subject.attach(MulticastStage(downstream: subscriber))
    }

    /// Subscribes to the upstream; each call does so again.
    ///
    /// - Returns: Cancels that subscription when it is cancelled or released.
    @inlinable
    public func connect() -> any Cancellable { upstream.subscribe(subject) }

    @usableFromInline
    var subject: SubjectType {
      if let made = madeSubject.withLock({ $0 }) { return made }
      // Made outside the lock, because it runs code of the user's. If two threads make one, both
      // use the first that is kept.
      let subject = createSubject()
      return madeSubject.withLock { made in
        if let made { return made }
        made = subject
        return subject
      }
    }
  }
}

/// Gives each subscriber an end of its own: after its cancellation it receives nothing, whatever
/// kind of subject is in between. Whether a request for no value traps is up to the subject; a
/// subject that has ended ignores it.
@usableFromInline
struct MulticastStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = RelaySubscription("Multicast", trapsOnNoDemand: false)

  @inlinable
  init(downstream: Downstream) { self.downstream = downstream }

  @inlinable
  @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    relay.isActive ? downstream.receive(input) : .none
  }
}
