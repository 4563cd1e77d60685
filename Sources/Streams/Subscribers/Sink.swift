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
  /// second subscription is cancelled.
  ///
  /// You may cancel a sink before it has a subscription, for instance while `subscribe(on:)` waits
  /// for its scheduler. The sink then receives nothing, and cancels the subscription when it comes.
  ///
  /// Source of the rules: Combine's `Subscribers.Sink`.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    @usableFromInline
    let slot = SinkSlot()

    /// Who is inside the closures: a thread during an announced run, `some` during one delivery,
    /// `invalid` once they have been released.
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

    @inlinable
    deinit {
      if insider.load(ordering: .acquiring) != ThreadID.invalid { closures.release() }
    }

    @inlinable
    public static var _endsWithRequest: Bool { true }

    @inlinable
    public func receive(subscription: any Subscription) {
      guard slot.attach(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable
    @inline(__always)
    public func receive(_ value: Input) -> Subscribers.Demand {
      let insider = insider.load(ordering: .relaxed)
      if insider != ThreadID.none, insider == ThreadID.current {
        // In a run of deliveries that this thread has announced.
        call(value)
      } else if enter(as: ThreadID.some) {
        call(value)
        _endDeliveries()
      } else {
        receiveAsGuest(value)
      }
      return .none
    }

    /// Delivers inside another delivery, or beside one of another thread, as a concurrent queue
    /// may.
    @inlinable
    @inline(never)
    func receiveAsGuest(_ value: Input) {
      retainedClosures()?.receiveValue(value)
    }

    /// Calls the value closure; only inside.
    @inlinable
    func call(_ value: Input) {
      if slot.hasEnded.load(ordering: .relaxed) { return }
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
      if slot.hasEnded.load(ordering: .relaxed) { releaseClosures() }
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = retainedClosures()?.receiveCompletion
      guard slot.end() else { return }
      releaseClosures()
      receiveCompletion?(completion)
    }

    @inlinable
    public func cancel() {
      guard let former = slot.cancel() else { return }
      releaseClosures()
      if case .subscribed(let subscription) = former { subscription.cancel() }
    }

    /// The closures, safe to call whoever else is inside; `nil` after the end.
    @inlinable
    func retainedClosures() -> SinkClosures<Input, Failure>? {
      slot.unlessEnded { closures.takeUnretainedValue() }
    }

    /// Releases the closures, unless a delivery is inside: it calls this again when it leaves.
    ///
    /// On a second thread the delivery can be just past its last look at `hasEnded`. Then they are
    /// released with the sink, which whoever cancels or completes it lets go.
    @inlinable
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

/// Where the subscription of a sink stands. Not generic, so that it is fast in any sink.
@usableFromInline
struct SinkSlot: ~Copyable {
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

  @usableFromInline
  init() {}

  /// - Returns: Whether it is the first subscription, and kept.
  @usableFromInline
  func attach(_ subscription: any Subscription) -> Bool {
    status.withLock { status in
      guard case .awaiting = status else { return false }
      status = .subscribed(subscription)
      return true
    }
  }

  /// - Returns: Whether it had not ended before.
  @usableFromInline
  func end() -> Bool {
    let old = status.withLock { status in
      defer { status = .ended }
      hasEnded.store(true, ordering: .sequentiallyConsistent)
      return status
    }
    // The subscription is released here, outside the lock.
    if case .ended = old { return false }
    return true
  }

  /// - Returns: The status before, with the subscription to cancel; `nil` if the sink had ended.
  @usableFromInline
  func cancel() -> Status? {
    status.withLock { status in
      if case .ended = status { return nil }
      defer { status = .ended }
      hasEnded.store(true, ordering: .sequentiallyConsistent)
      return status
    }
  }

  /// Does something that has to be done before the end, or not at all.
  @inlinable
  func unlessEnded<Result>(_ body: () -> Result) -> Result? {
    status.withLock { _ in hasEnded.load(ordering: .relaxed) ? nil : body() }
  }
}
