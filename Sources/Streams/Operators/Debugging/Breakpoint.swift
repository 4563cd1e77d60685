#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Publisher {
  /// Stops the program in the debugger when a closure returns `true` for an event.
  ///
  ///     numbers.breakpoint(receiveOutput: { $0 < 0 })  // stops at the first negative number
  ///
  /// The signal `SIGTRAP` stops the program before the event is passed on. Without a debugger, it
  /// ends the program. Everything else passes through unchanged, including upstream's subscription,
  /// demand and errors. Follows Combine's `breakpoint`.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with upstream's subscription. Returns whether to stop.
  ///   - receiveOutput: Called for each value. Returns whether to stop.
  ///   - receiveCompletion: Called when the stream ends. Returns whether to stop.
  /// - Returns: A publisher that changes nothing. The closures are called on the thread that
  ///   delivers the event.
  @inlinable
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the program in the debugger when upstream fails.
  ///
  ///     download.breakpointOnError()  // stops if the download fails
  ///
  /// The signal `SIGTRAP` stops the program before the failure is passed on. Without a debugger, it
  /// ends the program. Everything else passes through unchanged. Follows Combine's
  /// `breakpointOnError`.
  ///
  /// - Returns: A publisher that changes nothing.
  @inlinable
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }
}

extension Publishers {
  /// A publisher that stops the program in the debugger when a closure returns `true`; see
  /// ``Publisher/breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``.
  public struct Breakpoint<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let receiveSubscription: ((any Subscription) -> Bool)?
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    public let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        BreakpointStage(
          downstream: subscriber, onSubscription: receiveSubscription, onOutput: receiveOutput,
          onCompletion: receiveCompletion))
    }
  }
}

@usableFromInline struct BreakpointStage<Downstream: Subscriber>: TransparentStage {
  @usableFromInline var name: String { "Breakpoint" }

  @usableFromInline let downstream: Downstream
  @usableFromInline let onSubscription: ((any Subscription) -> Bool)?
  @usableFromInline let onOutput: ((Input) -> Bool)?
  @usableFromInline let onCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

  @inlinable
  init(
    downstream: Downstream, onSubscription: ((any Subscription) -> Bool)?,
    onOutput: ((Input) -> Bool)?, onCompletion: ((Subscribers.Completion<Failure>) -> Bool)?
  ) {
    self.downstream = downstream
    self.onSubscription = onSubscription
    self.onOutput = onOutput
    self.onCompletion = onCompletion
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if onSubscription?(subscription) == true { stopInDebugger() }
    downstream.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if onOutput?(input) == true { stopInDebugger() }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if onCompletion?(completion) == true { stopInDebugger() }
    downstream.receive(completion: completion)
  }
}

/// Stops the calling thread in the debugger, or ends the program. Returns if a debugger continues.
@usableFromInline
func stopInDebugger() {
  let hadHandler = hasTrapHandler
  raise(SIGTRAP)
  // A crash reporter, such as Swift's backtracer, prints its report, removes itself and returns. It
  // expects the instruction that failed to fail again. A debugger leaves the handler alone.
  if hadHandler, !hasTrapHandler { raise(SIGTRAP) }
}

private var hasTrapHandler: Bool {
  var action = sigaction()
  sigaction(SIGTRAP, nil, &action)
  // The handler comes first on each system, but has another name on each. No handler is zero.
  return withUnsafeBytes(of: action) { $0.load(as: UInt.self) != 0 }
}
