import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Streams

/// Tests subscribing to a subject, and through the operators that have several upstreams, while
/// another thread sends without a pause.
@Suite(.serialized) struct SubscribingWhileSendingTests {
  // MARK: Returning in bounded time

  /// Each upstream holds the subscription back until the sender has sent some more. Each value
  /// takes the subscriber longer than it takes the sender.
  @Test(arguments: Scene.allCases)
  func sinkReturnsWhileTheSenderGoesOn(scene: Scene) {
    let sender = Sender()
    let stream = scene.stream { sender.waitForMore(8) }
    sender.start(stream.send)
    let thread = ThreadID.current
    var cancellables: [AnyCancellable] = []
    for _ in 0..<4 {
      // Touched by the attaching thread only.
      nonisolated(unsafe) var deliveredHere = 0
      let cancellable = stream.publisher.sink { _ in
        if ThreadID.current == thread { deliveredHere += 1 }
        spin(300)
      }
      #expect(!sender.hasReachedItsLimit)
      // Some more if the system held this thread up, but not all that it sends.
      #expect(deliveredHere <= 1_000)
      cancellables.append(cancellable)
    }
    sender.stop()
    for cancellable in cancellables { cancellable.cancel() }
  }

  // MARK: The order of one sender

  @Test(arguments: Scene.allCases, [0, 40])
  func theSendersOrderIsKept(scene: Scene, gap: Int) {
    let sender = Sender(gap: gap)
    let stream = scene.stream {}
    sender.start(stream.send)
    for round in 0..<12 {
      let history = stream.publisher.history()
      sender.waitForMore(1 + round % 4)
      history.cancel()
      let values = history.values
      expectEqual(Set(values).count, values.count)
      // A value may overtake the first value of another subscriber.
      let streams =
        scene == .mergedCurrentValues
        ? (0..<2).map { remainder in values.filter { $0 % 2 == remainder } } : [values]
      for values in streams { expectEqual(values, values.sorted()) }
      // Each round connects again, and a value of the last connection may have been on its way: the
      // subscriber joins before the new connection is there, as in Combine.
      let isReconnected = scene == .share || scene == .multicast
      #expect(
        hasNoGap(
          Array(values.sorted().dropFirst(isReconnected ? 1 : 0)), upstreams: scene.upstreams))
    }
    sender.stop()
  }

  /// Whether no number is missing, once there has been one from each upstream.
  func hasNoGap(_ values: [Int], upstreams: Int) -> Bool {
    var remainders: Set<Int> = []
    let complete = values.drop {
      remainders.insert($0 % upstreams)
      return remainders.count < upstreams
    }
    return zip(complete, complete.dropFirst()).allSatisfy { $1 == $0 + 1 }
  }

  /// Another thread sends when the second of two upstreams has just requested.
  @Test(arguments: ["merge", "MergeMany", "flatMap"])
  func valuesSentWhileTheSecondUpstreamAttachesKeepTheirOrder(name: String) {
    let subject = PassthroughSubject<Int, Never>()
    let even = subject.filter { $0 % 2 == 0 }.eraseToAnyPublisher()
    let odd = AfterRequest(upstream: subject.filter { $0 % 2 == 1 }) {
      onAnotherThread { for value in 1...4 { subject.send(value) } }
    }.eraseToAnyPublisher()
    let merged =
      switch name {
      case "merge": even.merge(with: odd).eraseToAnyPublisher()
      case "MergeMany": Publishers.MergeMany([even, odd]).eraseToAnyPublisher()
      default: [even, odd].publisher.flatMap { $0 }.eraseToAnyPublisher()
      }
    expectEqual(merged.history().values, [1, 2, 3, 4])
  }

  @Test func valuesSentWhileTheSecondSideAttachesAreCombinedInOrder() {
    let subject = PassthroughSubject<Int, Never>()
    let second = AfterRequest(upstream: subject) {
      onAnotherThread { for value in 1...2 { subject.send(value) } }
    }
    let history = subject.combineLatest(second).map { $0 * 10 + $1 }.history()
    expectEqual(history.values, [11, 21, 22])
  }

  @Test func aValueFromBeforeTheFirstRequestIsMissed() {
    let subject = PassthroughSubject<Int, Never>()
    let history = History<Int, Never>()
    history.onSubscription = {
      onAnotherThread { subject.send(1) }
      $0.request(.unlimited)
      onAnotherThread { subject.send(2) }
    }
    subject.subscribe(history)
    expectEqual(history.events, [.subscription("PassthroughSubject"), .value(2)])
  }

  // MARK: A current value while another thread is inside the subject

  /// The sender is inside the subject with 1 when a subscriber attaches. It doesn't wait for the
  /// subscriber's first value.
  @Test func sendsDuringAFirstValueFollowIt() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Visitor(subject, stopsAt: 1) {
      subject.send(2)
      subject.send(3)
      subject.send(completion: .finished)
    }
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 1 {
        slow.goOn()
        slow.waitForEnd()
      }
      return .none
    }
    subject.subscribe(history)
    expectEqual(
      history.events,
      [
        .subscription("CurrentValueSubject"), .value(1), .value(2), .value(3), .finished,
      ])
  }

  /// Each subscriber has an order of its own, even if both feed the same one.
  @Test func aValueCanOvertakeTheFirstValueOfAnotherSubscriber() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Visitor(subject, stopsAt: 1) { subject.send(2) }
    let history = History<Int, Never>()
    let second = subject.map { value in
      if value == 1 {
        slow.goOn()
        slow.waitForEnd()
      }
      return value * 10 + 1
    }
    subject.map { $0 * 10 }.merge(with: second).subscribe(history)
    expectEqual(history.values, [10, 20, 11, 21])
  }

  /// Outside the gate, the thread that delivers the first value may be using the subscriber.
  @Test func aCancellationDuringAFirstValueReleasesTheSubscriberAfterwards() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Visitor(subject, stopsAt: 1) {}
    let history = History<Int, Never>()
    nonisolated(unsafe) var subscription: SubjectSubscription?
    history.onSubscription = {
      subscription = $0 as? SubjectSubscription
      $0.request(.unlimited)
    }
    history.onValue = { _ in
      onAnotherThread { subscription?.cancel() }
      slow.goOn()
      slow.waitForEnd()
      #expect(subscription?.downstream != nil)
      return .none
    }
    subject.subscribe(history)
    expectEqual(history.events, [.subscription("CurrentValueSubject"), .value(1)])
    #expect(subscription != nil)
    #expect(subscription?.downstream == nil)
  }

  @Test func nestedSendsDuringAFirstValueFollowIt() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let haveSent = DispatchSemaphore(value: 0)
    let slow = Visitor(subject, stopsAt: 1) {
      // Inside the delivery of 1.
    } inside: {
      subject.send(2)
      subject.send(3)
      haveSent.signal()
    }
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 1 {
        slow.goOn()
        haveSent.wait()
      }
      return .none
    }
    subject.subscribe(history)
    slow.waitForEnd()
    expectEqual(history.values, [1, 2, 3])
  }

  @Test func aFirstValueCanSendAgain() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Visitor(subject, stopsAt: 1) { subject.send(3) }
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 1 {
        slow.goOn()
        subject.send(2)
      }
      return .none
    }
    subject.subscribe(history)
    slow.waitForEnd()
    // The send of 3 may come before or after the nested one.
    #expect([[1, 2, 3], [1, 3, 2]].contains(history.values))
  }

  @Test func twoThreadsCanSubscribeToEachOthersSubjects() {
    let subjects = [CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0)]
    let histories = [History<Int, Never>(), History<Int, Never>()]
    let inside = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let cancellables = (0..<2).map { index in
      subjects[index].dropFirst().sink { _ in
        inside[1 - index].signal()
        inside[index].wait()
        subjects[1 - index].subscribe(histories[index])
      }
    }
    onThreads(2) { subjects[$0].send(7) }
    for history in histories {
      expectEqual(history.events, [.subscription("CurrentValueSubject"), .value(7)])
    }
    withExtendedLifetime(cancellables) {}
  }
}

/// A publisher of what one sender sends.
struct SentStream {
  let publisher: AnyPublisher<Int, Never>
  let send: @Sendable (Int) -> Void
}

enum Scene: String, CaseIterable {
  case passthrough, currentValue, published, merge, mergeMany, mergedCurrentValues, flatMap
  case switchToLatest, combineLatest, zip, prepend, append, share, multicast

  /// How many upstreams share the values.
  var upstreams: Int {
    switch self {
    case .merge, .mergedCurrentValues, .flatMap: 2
    case .mergeMany: 3
    default: 1
    }
  }

  /// - Parameter onSubscription: Runs when an upstream has sent its subscription, before anything
  ///   is requested.
  func stream(_ onSubscription: @escaping () -> Void) -> SentStream {
    switch self {
    case .currentValue, .mergedCurrentValues:
      let subject = CurrentValueSubject<Int, Never>(-1)
      let upstream = subject.handleEvents(receiveSubscription: { _ in onSubscription() })
      return SentStream(
        publisher: self == .currentValue
          ? upstream.eraseToAnyPublisher()
          : upstream.filter { $0 % 2 == 0 }.merge(with: upstream.filter { $0 % 2 != 0 })
            .filter { $0 >= 0 }.eraseToAnyPublisher()
      ) { subject.send($0) }
    case .published:
      let counter = Counter()
      return SentStream(
        publisher: counter.$number.handleEvents(receiveSubscription: { _ in onSubscription() })
          .eraseToAnyPublisher()
      ) { counter.number = $0 }
    default:
      let subject = PassthroughSubject<Int, Never>()
      return SentStream(
        publisher: publisher(
          of: subject.handleEvents(receiveSubscription: { _ in onSubscription() })
            .eraseToAnyPublisher())
      ) { subject.send($0) }
    }
  }

  private func publisher(of upstream: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
    switch self {
    case .merge:
      upstream.filter { $0 % 2 == 0 }.merge(with: upstream.filter { $0 % 2 == 1 })
        .eraseToAnyPublisher()
    case .mergeMany:
      Publishers.MergeMany((0..<3).map { remainder in upstream.filter { $0 % 3 == remainder } })
        .eraseToAnyPublisher()
    case .flatMap:
      (0..<2).publisher.flatMap { remainder in upstream.filter { $0 % 2 == remainder } }
        .eraseToAnyPublisher()
    case .switchToLatest:
      Just(upstream).switchToLatest().eraseToAnyPublisher()
    case .combineLatest:
      upstream.combineLatest(upstream).filter { $0 == $1 }.map { $1 }.eraseToAnyPublisher()
    case .zip:
      upstream.zip(upstream).map { $1 }.eraseToAnyPublisher()
    case .prepend:
      upstream.prepend(-1).filter { $0 >= 0 }.eraseToAnyPublisher()
    case .append:
      Empty().append(upstream).eraseToAnyPublisher()
    case .share:
      upstream.share().eraseToAnyPublisher()
    case .multicast:
      upstream.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
    case .passthrough, .currentValue, .published, .mergedCurrentValues:
      upstream
    }
  }
}

/// An object whose property is set on one thread and observed on another.
private final class Counter: @unchecked Sendable {
  @Published var number = -1
}

/// A thread that sends 0, 1, 2 and so on, until it's stopped or has reached a limit.
private final class Sender: Sendable {
  static let limit = 2_000_000

  private let gap: Int
  private let sent = Atomic<Int>(0)
  private let mustStop = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter gap: How long it spins between two values.
  init(gap: Int = 0) { self.gap = gap }

  var hasReachedItsLimit: Bool { sent.load(ordering: .relaxed) >= Self.limit }

  func start(_ send: @escaping @Sendable (Int) -> Void) {
    Thread.detachNewThread { [self] in
      for value in 0..<Self.limit {
        if mustStop.load(ordering: .relaxed) { break }
        send(value)
        sent.store(value + 1, ordering: .releasing)
        spin(gap)
      }
      ended.signal()
    }
    waitForMore(1)
  }

  /// Waits until it has sent some more values.
  func waitForMore(_ count: Int) {
    let goal = min(sent.load(ordering: .acquiring) + count, Self.limit)
    while sent.load(ordering: .acquiring) < goal { sched_yield() }
  }

  func stop() {
    mustStop.store(true, ordering: .relaxed)
    ended.wait()
  }
}

/// A thread that sends a value and stays inside the subject until it may go on.
private final class Visitor: Sendable {
  private let isInside = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - next: Runs on the same thread afterwards.
  ///   - inside: Runs inside the delivery, when it goes on.
  init(
    _ subject: CurrentValueSubject<Int, Never>, stopsAt value: Int,
    then next: @escaping @Sendable () -> Void,
    inside: @escaping @Sendable () -> Void = {}
  ) {
    let cancellable = subject.sink { [isInside, mayGoOn] received in
      guard received == value else { return }
      isInside.signal()
      mayGoOn.wait()
      inside()
    }
    Thread.detachNewThread { [ended] in
      subject.send(value)
      next()
      cancellable.cancel()
      ended.signal()
    }
    isInside.wait()
  }

  func goOn() { mayGoOn.signal() }

  func waitForEnd() { ended.wait() }
}

/// Runs a closure when a request has reached upstream.
private struct AfterRequest<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let body: () -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscription in
          subscriber.receive(subscription: Requests(upstream: subscription, body: body))
        }, receiveValue: { subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) }))
  }

  private final class Requests: Subscription {
    let upstream: any Subscription
    let body: () -> Void

    init(upstream: any Subscription, body: @escaping () -> Void) {
      self.upstream = upstream
      self.body = body
    }

    func request(_ demand: Subscribers.Demand) {
      upstream.request(demand)
      body()
    }

    func cancel() { upstream.cancel() }
  }
}

/// Keeps the thread busy for a number of steps.
private func spin(_ steps: Int) {
  for _ in 0..<steps { _ = spins.load(ordering: .relaxed) }
}

private let spins = Atomic<Int>(0)
