#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the stack flat however deeply streams are nested in each other, as in recursive paging,
/// where each page's publisher contains the next page's.
///
/// A `flatMap` or a `merge` learns from its downstream how deeply it's nested
/// (`Subscriber._depth`). At one level in 64, it's attached through the trampoline: subscribing,
/// and every signal in either direction, is an action for ``run(_:)``. The first such level on a
/// thread's stack acts at once. Those beyond it queue their actions, and the first one runs these
/// in order once the stack has unwound. So the stack holds 128 levels at most. A pipeline of fewer
/// than 64 levels never uses the trampoline, so it delivers everything at once, even if it's made
/// inside a deep one.
///
/// Releases have their own queue: see ``HiddenPublisher``.
@usableFromInline enum Trampoline {
  /// Whether a subscriber's upstream has to be attached through the trampoline.
  @inlinable static func isNeeded(atDepth depth: Int) -> Bool { depth % 64 == 63 }

  /// Attaches a subscriber to a publisher, with the trampoline between them.
  @usableFromInline
  static func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P)
  where S.Input == P.Output, S.Failure == P.Failure {
    run { publisher.receive(subscriber: TrampolineRelay(subscriber)) }
  }

  /// Runs an action: now or, if one is already running on this thread, after that one.
  ///
  /// - Parameter first: Whether it goes before the actions that wait already. A cancellation does,
  ///   because otherwise it would never catch up with pages that load further pages.
  @usableFromInline
  static func run(first: Bool = false, _ action: @escaping () -> Void) {
    if actions.isActive { return actions.putOff(action, first: first) }
    actions.begin()
    action()
    while let next = actions.next() { next() }
    actions.end()
  }

  /// Begins the release of an object that may hold more of its kind.
  ///
  /// - Returns: Whether the caller releases its object now and then calls ``endRelease()``. If not,
  ///   another release is already running on this thread, and the caller passes its object to
  ///   ``releaseLater(_:)``.
  @usableFromInline
  static func beginRelease() -> Bool {
    if releases.isActive { return false }
    releases.begin()
    return true
  }

  @usableFromInline static func releaseLater(_ value: Any) { releases.putOff(value) }

  /// Releases everything that was put off, and ends the release.
  @usableFromInline
  static func endRelease() {
    while let next = releases.next() { _ = next }
    releases.end()
  }

  private static let actions = ThreadQueue<() -> Void>()
  private static let releases = ThreadQueue<Any>()
}

/// Passes signals through the trampoline in both directions.
///
/// Signals to downstream wait in a queue, which one thread at a time works off. So they keep their
/// order even if they come on several threads. Upstream is the library's own junction, so it sends
/// its signals one at a time, and nothing after the completion.
private final class TrampolineRelay<Downstream: Subscriber>: Subscriber, Subscription, Named {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  private struct State {
    let downstream: Downstream
    var upstream: SubscriptionObject?
    var signals = FIFO<Signal>()
    var isDelivering = false
  }

  /// `nil` after the completion or a cancellation.
  private let state: Locked<State?>

  let _depth: _Hint<Int>

  init(_ downstream: Downstream) {
    state = Locked(State(downstream: downstream))
    _depth = _Hint(downstream._depth.value + 1)
  }

  /// Upstream's name, because the trampoline isn't an operator.
  var name: String { state.withLock { $0?.upstream }.map { "\($0)" } ?? "Trampoline" }

  func receive(subscription: any Subscription) {
    let object = subscription._object.value
    let downstream = state.withLock { state in
      state?.upstream = object
      return state?.downstream
    }
    downstream?.receive(subscription: self)
    // At once, so that upstream doesn't even subscribe to its own publishers.
    if state.withLock({ $0 == nil }) { object.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    pass(.value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { pass(.completion(completion)) }

  private func pass(_ signal: Signal) {
    state.withLock { $0?.signals.append(signal) }
    Trampoline.run { self.deliver() }
  }

  private func deliver() {
    guard let downstream = state.withLock({ Self.begin(&$0) }) else { return }
    while let signal = state.withLock({ Self.next(&$0) }) {
      switch signal {
      case .value(let value):
        let more = downstream.receive(value)
        if more > 0 { request(more) }
      case .completion(let completion):
        downstream.receive(completion: completion)
        _ = state.withLock { $0.take() }
      }
    }
  }

  /// - Returns: Downstream, if the caller has to work off the queue.
  private static func begin(_ state: inout State?) -> Downstream? {
    guard state?.isDelivering == false else { return nil }
    state?.isDelivering = true
    return state?.downstream
  }

  /// - Returns: The next signal; `nil` if the caller is through.
  private static func next(_ state: inout State?) -> Signal? {
    let signal = state?.signals.popFirst()
    if signal == nil { state?.isDelivering = false }
    return signal
  }

  func request(_ demand: Subscribers.Demand) {
    Trampoline.run { self.state.withLock { $0?.upstream }?.request(demand) }
  }

  func cancel() {
    guard let upstream = state.withLock({ $0.take() })?.upstream else { return }
    Trampoline.run(first: true) { upstream.cancel() }
  }
}

/// A queue for each thread, which exists only between ``begin()`` and ``end()``.
private final class ThreadQueue<Entry>: Sendable {
  private final class Entries {
    var first = FIFO<Entry>()
    var queue = FIFO<Entry>()
  }

  private let key = ThreadKey()
  var isActive: Bool { pthread_getspecific(key.key) != nil }

  func begin() { pthread_setspecific(key.key, Self.nothing) }

  func putOff(_ entry: Entry, first: Bool = false) {
    let entries = entries ?? Entries()
    if self.entries == nil {
      pthread_setspecific(key.key, Unmanaged.passRetained(entries).toOpaque())
    }
    if first { entries.first.append(entry) } else { entries.queue.append(entry) }
  }

  func next() -> Entry? { entries?.first.popFirst() ?? entries?.queue.popFirst() }

  func end() {
    let entries = entries
    pthread_setspecific(key.key, nil)
    if let entries { Unmanaged.passUnretained(entries).release() }
  }

  private var entries: Entries? {
    guard let address = pthread_getspecific(key.key), address != Self.nothing else { return nil }
    return Unmanaged<Entries>.fromOpaque(address).takeUnretainedValue()
  }

  /// Marks a queue that has begun and is still empty.
  private static var nothing: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }
}

/// One word of storage for each thread.
private final class ThreadKey: Sendable {
  let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "pthread_key_create failed with error \(code)")
    self.key = key
  }
}
