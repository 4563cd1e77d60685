import Streams
import TestSupport

/// A stream whose two ends are kept, as a user may keep them: its publishers keep their
/// subscribers, and the scene keeps the subscription.
///
/// It notes everything that's delivered and cancelled, in order, and then everything that was
/// released. The order of releases within one step is up to the compiler.
///
/// ```swift
/// let scene = ReleaseScene()
/// let a = scene.source("a")
/// scene.subscribe(a.collect(2))
/// a.send("1")
/// scene.subscription?.cancel()
/// #expect(scene.takeNotes() == ["a: cancel", "released: 1, a, downstream"])
/// ```
final class ReleaseScene {
  let log = ReleaseLog()

  /// The subscription that downstream has received.
  fileprivate(set) var subscription: (any Subscription)?

  /// Runs inside each delivery of a value.
  var onValue: (() -> Void)?

  /// Runs while downstream is being released.
  var onRelease: (() -> Void)?

  /// The notes since the last call.
  func takeNotes() -> [String] { log.take() }

  func source(_ name: String) -> KeepingSource<Token> { KeepingSource(name, log) }

  /// A publisher of publishers.
  func outerSource(_ name: String) -> KeepingSource<KeepingSource<Token>> {
    KeepingSource(name, log)
  }

  /// Subscribes a subscriber that only the stream keeps.
  func subscribe<P: Publisher>(_ publisher: P, demand: Subscribers.Demand = .unlimited)
  where P.Failure == TokenError {
    publisher.subscribe(NotedDownstream<P.Output>(self, demand: demand))
  }

  /// Releases the subscription.
  func releaseSubscription() { subscription = nil }

  enum Ending: CaseIterable { case finish, failure, cancellation, cancellationInside }

  /// Ends the stream.
  ///
  /// - Parameters:
  ///   - ending: The way to end it.
  ///   - finish: Finishes the publishers.
  ///   - fail: Makes a publisher fail.
  ///   - deliver: Makes downstream receive a value, within which it cancels.
  func end(
    _ ending: Ending, finish: () -> Void, fail: () -> Void, deliver: () -> Void
  ) {
    switch ending {
    case .finish: finish()
    case .failure: fail()
    case .cancellation: subscription?.cancel()
    case .cancellationInside:
      onValue = { [unowned self] in subscription?.cancel() }
      deliver()
    }
  }
}

/// A publisher that keeps its subscriber, and doesn't keep the subscription.
final class KeepingSource<Output>: Publisher {
  typealias Failure = TokenError

  private let name: String
  private let log: ReleaseLog
  private var subscriber: (any Subscriber<Output, Failure>)?

  /// Runs once a subscriber has its subscription.
  var onSubscribe: (() -> Void)?

  fileprivate init(_ name: String, _ log: ReleaseLog) {
    self.name = name
    self.log = log
  }

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == TokenError {
    self.subscriber = subscriber
    subscriber.receive(subscription: NotedSubscription(name, log))
    onSubscribe?()
  }

  func send(value: Output) { _ = subscriber?.receive(value) }

  func finish() { subscriber?.receive(completion: .finished) }

  /// Fails with an error whose release is noted.
  func fail(_ error: String) {
    subscriber?.receive(completion: .failure(TokenError(token: log.token(error))))
  }

  /// Releases the subscriber.
  func releaseSubscriber() { subscriber = nil }
}

extension KeepingSource where Output == Token {
  /// Sends a token whose release is noted.
  func send(_ token: String) { send(value: log.token(token)) }
}

/// An error that shows when it's released.
struct TokenError: Error { let token: Token }

/// Notes calls in order, and releases by name.
final class ReleaseLog: Sendable {
  private let notes = CallLog()
  private let releases = CallLog()

  /// Makes a token whose release is noted.
  func token(_ name: String) -> Token { Token { self.released(name) } }

  func note(_ line: String) { notes.append(line) }

  func released(_ name: String) { releases.append(name) }

  func take() -> [String] {
    defer {
      notes.removeAll()
      releases.removeAll()
    }
    let released = releases.lines.sorted().joined(separator: ", ")
    return notes.lines + (released.isEmpty ? [] : ["released: \(released)"])
  }
}

private final class NotedSubscription: Subscription {
  private let name: String
  private let log: ReleaseLog

  init(_ name: String, _ log: ReleaseLog) {
    self.name = name
    self.log = log
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() { log.note("\(name): cancel") }

  deinit { log.released(name) }
}

private final class NotedDownstream<Input>: Subscriber {
  typealias Failure = TokenError

  private weak var scene: ReleaseScene?
  private let log: ReleaseLog
  private let demand: Subscribers.Demand

  init(_ scene: ReleaseScene, demand: Subscribers.Demand) {
    self.scene = scene
    log = scene.log
    self.demand = demand
  }

  func receive(subscription: any Subscription) {
    scene?.subscription = subscription
    if demand > 0 { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    log.note("value")
    scene?.onValue?()
    return .none
  }

  func receive(completion: Subscribers.Completion<TokenError>) {
    if case .finished = completion { log.note("finished") } else { log.note("failure") }
  }

  deinit {
    log.released("downstream")
    scene?.onRelease?()
  }
}
