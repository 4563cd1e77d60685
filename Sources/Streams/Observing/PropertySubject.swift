/// The value and the subscribers of a ``Published`` property.
///
/// It behaves as a ``CurrentValueSubject``, with two differences: it delivers a value before it
/// stores it, and it never completes. During a delivery it therefore holds two values. The property
/// returns ``State/stored``, the old one. A new subscriber gets ``State/incoming``, the new one.
///
/// **Nested sends.** A send from within a delivery delivers and stores its value. Then the outer
/// send's value is the one under way again, with a new version. The subscribers that the outer send
/// has still to reach get it with that version. So each subscriber knows in which order it got the
/// two, and a later request brings the outer value to those that saw it before the inner one.
///
/// Values are released outside the lock.
final class PropertySubject<Value>: Subject {
  typealias Output = Value
  typealias Failure = Never

  private struct State {
    var stored: Value
    var incoming: Value?

    /// The version of the incoming value, or else of the stored one.
    var version = 0
  }

  let hub: CurrentValueHub
  private let state: Locked<State>

  /// The same as the state's version, for the thread that sends. Touched inside the gate only.
  private var version = 0

  private let willChange: WillChange

  init(_ value: Value, willChange: WillChange) {
    self.willChange = willChange
    state = Locked(State(stored: value))
    hub = CurrentValueHub(name: "PublishedSubject") { subscription in
      guard let subject = subscription.subject else { return }
      unsafeDowncast(subject, to: PropertySubject.self).catchUp(subscription)
    }
  }

  deinit { hub.cancelUpstreams() }

  /// The value that the property returns.
  var value: Value { state.withLock { $0.stored } }

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Value, S.Failure == Never {
    hub.attach(subscriber, to: self)
  }

  // MARK: Sending

  func send(subscription: any Subscription) { hub.keep(subscription) }

  /// Announces a value, delivers it, and stores it.
  func send(_ new: Value) {
    willChange.withLock { $0 }?.send()
    sendAnnounced(new)
  }

  /// A stream that was assigned to the property has ended. The property goes on.
  func send(completion: Subscribers.Completion<Never>) {}

  /// Delivers a value, and stores it.
  func sendAnnounced(_ new: Value) {
    let wasOutside = hub.gate.enter()
    if !wasOutside { hub.admitLatecomers() }
    if hub.list.isEmpty {
      store(new)
      hub.admitLatecomers()
      if !hub.list.isEmpty { deliver(new) }
    } else {
      let outer = beginSending(new)
      hub.admitLatecomers()
      deliver(new)
      endSending(new, outer: outer)
    }
    if wasOutside { hub.leave() }
  }

  private func deliver(_ value: Value) {
    hub.send(value, version: version)
  }

  /// Makes a value the one under way. Only inside the gate.
  ///
  /// - Returns: The value of the outer send, if this one is nested.
  private func beginSending(_ new: Value) -> Value? {
    version += 1
    return state.withLock { state in
      state.version = version
      // Taken out and not overwritten, because it mustn't be released here.
      var outer: Value? = new
      swap(&state.incoming, &outer)
      return outer
    }
  }

  /// Stores the value that was under way, and goes back to that of the outer send. Only inside the
  /// gate.
  private func endSending(_ new: Value, outer: Value?) {
    if outer != nil { version += 1 }
    var stored = new
    var incoming = outer
    state.withLock { state in
      state.version = version
      swap(&state.stored, &stored)
      swap(&state.incoming, &incoming)
    }
    // Released here, outside the lock.
    withExtendedLifetime((stored, incoming)) {}
  }

  /// Stores a value that no subscriber is waiting for. Only inside the gate, and not within a send.
  private func store(_ new: Value) {
    version += 1
    var stored = new
    state.withLock { state in
      state.version = version
      swap(&state.stored, &stored)
    }
    withExtendedLifetime(stored) {}
  }

  private func catchUp(_ subscription: CurrentValueSubscription) {
    let (value, version) = state.withLock { ($0.incoming ?? $0.stored, $0.version) }
    subscription.catchUp(value, version: version)
  }
}

// The lock guards the state, and the hub synchronises itself. The version belongs to the thread
// inside the gate.
extension PropertySubject: @unchecked Sendable where Value: Sendable {}
