import Synchronization

/// A subject that has a value at any time, and gives it to every new subscriber first.
///
/// The current value is delivered with the first demand and costs one of it. A subscriber that
/// misses values for lack of demand gets the newest one, once, when it requests again. Threads:
/// as for ``PassthroughSubject``. Source of the rules: Combine's `CurrentValueSubject`.
public final class CurrentValueSubject<Output, Failure>: Subject where Failure: Error {
  @usableFromInline
  let hub = SubjectHub()

  private let current: Locked<Output>
  @usableFromInline
  let completion = SubjectCompletion<Failure>()

  /// Makes a subject with a value to begin with.
  ///
  /// - Parameter value: The current value until another one is sent.
  public init(_ value: Output) {
    current = Locked(value)
    hub.catchUp = { [unowned self] in deliverCurrent() }
  }

  /// The current value. Setting it sends it; after the completion it is only kept.
  public var value: Output {
    get { current.withLock { $0 } }
    set {
      if hub.isClosed.load(ordering: .relaxed) { replaceCurrent(newValue) } else { send(newValue) }
    }
  }

  public func send(subscription: any Subscription) {
    hub.keep(subscription, demanding: true)
  }

  @inlinable
  public func send(_ input: Output) {
    let wasOutside = hub.gate.enter()
    if !hub.isClosed.load(ordering: .relaxed) {
      replaceCurrent(input)
      withUnsafePointer(to: input) { hub.send($0, failure: Failure.self, notesPlace: true) }
    }
    if wasOutside { hub.leave() }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    self.completion.end(hub, with: completion, output: Output.self)
  }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let subscription = SubjectSubscription(
      name: "CurrentValueSubject", subject: self, hub: hub
    ) { subscription, demand in
      precondition(demand > 0, "CurrentValueSubject: a request for no value breaks the contract")
      let subscription = unsafeDowncast(subscription, to: SubjectSubscription.self)
      subscription.credit.add(demand)
      // Whether a value was missed is known inside the gate only.
      subscription.hub.catchUpNow()
    }
    hub.attach(subscriber, subscription, completion)
  }

  @usableFromInline
  func replaceCurrent(_ value: Output) {
    // The old value is released outside the lock: it may be the last of an object of the user's.
    var replaced = value
    current.withLock { swap(&$0, &replaced) }
  }

  /// Gives the newest value to all who have missed it and may have it now, unless they are just
  /// about to get it; only inside the gate.
  private func deliverCurrent() {
    var index = 0
    while index < hub.count {
      hub.conduits[index]._withUnsafeGuaranteedRef { conduit in
        guard conduit.subscription.isBehind.load(ordering: .relaxed),
          !hub.isYetToBeOffered(index)
        else { return }
        let conduit = unsafeDowncast(conduit, to: TypedSubjectConduit<Output, Failure>.self)
        withUnsafePointer(to: value) { conduit.offer($0) }
      }
      index += 1
    }
  }
}
