import Synchronization

extension Publisher {
  /// Attaches closures as a subscriber with unlimited demand.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends, not after a cancellation.
  ///   - receiveValue: Called for each value.
  /// - Returns: Cancels the subscription when it is cancelled or released: keep it.
  @inlinable
  @inline(__always)
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure as a subscriber with unlimited demand.
  ///
  /// - Parameter receiveValue: Called for each value.
  /// - Returns: Cancels the subscription when it is cancelled or released: keep it.
  @inlinable
  @inline(__always)
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// A subscriber that calls closures, with unlimited demand.
  ///
  /// The closures are released when the stream ends or is cancelled, the completion closure before
  /// it is called; if somebody is inside the value closure at that moment, when they leave it. A
  /// second subscription is cancelled. Cancelling without a subscription has no effect.
  ///
  /// Source of the rules: Combine's `Subscribers.Sink`.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    @usableFromInline
    enum Status {
      case awaiting
      case subscribed(any Subscription)
      case ended
    }

    @usableFromInline
    let status = Locked(Status.awaiting)

    /// Mirrors the status for deliveries, which do not take the lock.
    @usableFromInline
    let hasEnded = Atomic<Bool>(false)

    /// The thread that is inside the closures; `invalid` once they have been released.
    @usableFromInline
    let insider = Atomic<UInt>(ThreadID.none)

    // Unmanaged, so that a delivery need not retain them: while it is inside, nobody releases them.
    @usableFromInline
    let closures: Unmanaged<SinkClosures<Input, Failure>>

    /// Makes a subscriber of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends.
    ///   - receiveValue: Called for each value, where it is delivered.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      closures = .passRetained(
        SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    }

    deinit {
      if insider.load(ordering: .acquiring) != ThreadID.invalid { closures.release() }
    }

    @inlinable
    public static var _endsWithRequest: Bool { true }

    public func receive(subscription: any Subscription) {
      let isFirst = status.withLock { status in
        guard case .awaiting = status else { return false }
        status = .subscribed(subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable
    @inline(__always)
    public func receive(_ value: Input) -> Subscribers.Demand {
      let thread = ThreadID.current
      if insider.load(ordering: .relaxed) == thread {
        // Inside another delivery of this thread, or in an announced run of them.
        call(value)
      } else if enter(as: thread) {
        call(value)
        _endDeliveries()
      } else {
        receiveBesideAnother(value)
      }
      return .none
    }

    /// Delivers beside a delivery of another thread, as a concurrent queue may.
    @usableFromInline
    func receiveBesideAnother(_ value: Input) {
      retainedClosures()?.receiveValue(value)
    }

    /// Calls the value closure; only inside.
    @inlinable
    func call(_ value: Input) {
      if hasEnded.load(ordering: .relaxed) { return }
      closures._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    }

    @inlinable
    func enter(as thread: UInt) -> Bool {
      insider.compareExchange(
        expected: ThreadID.none, desired: thread, ordering: .acquiring
      ).exchanged
    }

    @inlinable
    public func _beginDeliveries() -> Bool { enter(as: ThreadID.current) }

    @inlinable
    public func _endDeliveries() {
      insider.store(ThreadID.none, ordering: .releasing)
      if hasEnded.load(ordering: .relaxed) { releaseClosures() }
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = retainedClosures()?.receiveCompletion
      guard case .some = end(ifSubscribed: false) else { return }
      receiveCompletion?(completion)
    }

    public func cancel() {
      guard case .subscribed(let subscription) = end(ifSubscribed: true) else { return }
      subscription.cancel()
    }

    /// Ends the sink and releases the closures.
    ///
    /// - Returns: The status before; `nil` if nothing was changed.
    private func end(ifSubscribed: Bool) -> Status? {
      let old = status.withLock { status -> Status? in
        switch status {
        case .ended: return nil
        case .awaiting where ifSubscribed: return nil
        case .awaiting, .subscribed:
          hasEnded.store(true, ordering: .sequentiallyConsistent)
          defer { status = .ended }
          return status
        }
      }
      if old != nil { releaseClosures() }
      return old
    }

    /// The closures, safe to call whoever else is inside; `nil` after the end.
    @usableFromInline
    func retainedClosures() -> SinkClosures<Input, Failure>? {
      status.withLock { status in
        if case .ended = status { return nil }
        return closures.takeUnretainedValue()
      }
    }

    /// Releases the closures, unless a delivery is inside: it calls this again when it leaves.
    ///
    /// On a second thread the delivery can be just past its last look at `hasEnded`. Then they are
    /// released with the sink, which whoever cancels or completes it lets go.
    @usableFromInline
    func releaseClosures() {
      if insider.compareExchange(
        expected: ThreadID.none, desired: ThreadID.invalid, ordering: .sequentiallyConsistent
      ).exchanged {
        closures.release()
      }
    }

    /// What is called for each value; does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void {
      retainedClosures()?.receiveValue ?? { _ in }
    }

    /// What is called when the stream ends; does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      retainedClosures()?.receiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

/// The two closures of a sink, in an object of their own that can be released before the sink.
@usableFromInline
final class SinkClosures<Input, Failure: Error> {
  @usableFromInline
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let receiveValue: (Input) -> Void

  @inlinable
  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}
