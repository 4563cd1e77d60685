import Synchronization

/// A subject that always has a value, and delivers it to every new subscriber first.
///
/// A subscriber's first request brings the current value, which uses up one of the requested
/// values. If the subscriber makes that request in `receive(subscription:)`, the value has arrived
/// when the request returns, even if another thread is in the middle of a send. What that thread
/// sends meanwhile reaches this subscriber after its first value, and the thread doesn't wait. A
/// subscriber that misses values for lack of demand gets the newest one, once, when it requests
/// again. If a later request comes while another thread is sending, that thread delivers the value.
///
/// Threads and recursion: as for ``PassthroughSubject``. You can read and set `value` from any
/// thread. Reading never waits for a delivery.
///
/// Source of the rules: Combine's `CurrentValueSubject`.
public final class CurrentValueSubject<Output, Failure>: Subject where Failure: Error {
  /// The current value, and how many were sent before it.
  @usableFromInline struct Current {
    @usableFromInline var value: Output

    @usableFromInline var version = 0

    @inlinable init(value: Output) { self.value = value }
  }

  @usableFromInline let hub: CurrentValueHub
  @usableFromInline let lock = Lock()

  /// Guarded by the lock.
  @exclusivity(unchecked) @usableFromInline var current: Current

  /// Makes a subject with an initial value.
  ///
  /// - Parameter value: The current value until another one is sent.
  @inlinable
  public init(_ value: Output) {
    current = Current(value: value)
    hub = CurrentValueHub(name: "CurrentValueSubject") { subscription in
      guard let subject = subscription.subject else { return }
      unsafeDowncast(subject, to: CurrentValueSubject.self).catchUp(subscription)
    }
  }

  deinit { hub.cancelUpstreams() }

  /// The current value. Setting it sends the new value. After the completion, the new value is only
  /// stored.
  public var value: Output {
    get { lock.withLock { current.value } }
    set { send(newValue, isKeptAfterEnd: true) }
  }

  public func send(subscription: any Subscription) { hub.keep(subscription) }

  @inlinable public func send(_ input: Output) { send(input, isKeptAfterEnd: false) }

  @inlinable @inline(__always)
  func send(_ input: Output, isKeptAfterEnd: Bool) {
    let me = ThreadID.current
    let wasOutside = hub.gate.enter(as: me)
    let isOpen = !hub.isClosed.load(ordering: .relaxed)
    if isOpen || isKeptAfterEnd {
      // Latecomers get the value before this one now. It's the only chance, because this value
      // replaces it.
      if isOpen, !wasOutside { hub.admitLatecomers() }
      let version = replaceCurrent(input)
      if isOpen {
        hub.admitLatecomers()
        hub.send(input, version: version)
      }
    }
    if wasOutside { hub.leave(as: me) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    hub.attach(subscriber, to: self)
  }

  /// Stores a value before it is sent. Only inside the gate.
  ///
  /// - Parameters:
  ///   - value: The value.
  /// - Returns: Its version.
  @inlinable @inline(__always)
  func replaceCurrent(_ value: Output) -> Int {
    // The old value is released outside the lock, because that can run user code.
    var replaced = value
    let version = lock.withLock {
      swap(&current.value, &replaced)
      current.version &+= 1
      return current.version
    }
    withExtendedLifetime(replaced) {}
    return version
  }

  @inlinable
  func catchUp(_ subscription: CurrentValueSubscription) {
    let latest = lock.withLock { current }
    subscription.catchUp(latest.value, version: latest.version)
  }
}

// `@unchecked`: the lock guards `current`.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
