import TestSupport
import Testing

@testable import Streams

/// Tests what subjects keep alive, and when they release it.
@Suite struct SubjectReleaseTests {
  typealias IntSubject = PassthroughSubject<Int, TestError>

  @Test func cancelsItsUpstreamsWhenItIsReleased() {
    let upstream = ScriptedSubscription()
    var subject: IntSubject? = IntSubject()
    subject?.send(subscription: upstream)
    subject = nil
    expectEqual(upstream.calls, [.cancel])
  }

  @Test func releasesASubscriberThatCancelsDuringASend() {
    let subject = IntSubject()
    let first = subject.history()
    weak var released: History<Int, TestError>?
    do {
      let second = subject.history()
      released = second
      first.onValue = { [weak second] _ in
        second?.cancel()
        second?.releaseSubscription()
        return .none
      }
    }
    #expect(released != nil)
    subject.send(1)
    #expect(released == nil)
  }

  @Test func releasesOneOfManySubscribersThatCancels() {
    let subject = IntSubject()
    let others = (0..<5).map { _ in subject.history() }
    weak var released: Token?
    weak var endedSubscription: AnyObject?
    let keeper: AnyCancellable
    do {
      let token = Token()
      released = token
      keeper = subject.map { value -> Int in
        token.touch()
        return value
      }.handleEvents(receiveSubscription: { endedSubscription = $0 as AnyObject }).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(released != nil)
    #expect(endedSubscription != nil)
    keeper.cancel()
    #expect(released == nil)
    #expect(endedSubscription == nil)
    subject.send(1)
    expectEqual(others.map(\.values), Array(repeating: [1], count: 5))
  }

  @Test func aSubscriberAddedAndCancelledDuringASendIsReleased() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = SlowSubscriber<Never>(stopsAt: 1) { subject.send(2) }
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    weak var released: History<Int, Never>?
    do { released = subject.history() }
    #expect(released != nil)
    released?.cancel()
    released?.releaseSubscription()
    slow.goOn()
    #expect(released == nil)
    expectEqual(slow.history.values, [1, 2])
  }

  enum Ending: CaseIterable { case cancellation, completion }

  @Test(arguments: Ending.allCases, [false, true])
  func aSubscriptionKeptAfterItsEndReleasesTheSubject(ending: Ending, hasValue: Bool) {
    weak var released: AnyObject?
    let history = History<Token, Never>()
    do {
      let subject: any Subject<Token, Never> =
        hasValue ? CurrentValueSubject(Token()) : PassthroughSubject()
      released = subject
      subject.subscribe(history)
      #expect(released != nil)
      switch ending {
      case .cancellation: history.cancel()
      case .completion: subject.send(completion: .finished)
      }
    }
    #expect(released == nil)
    // Late calls do no harm.
    history.request(1)
    history.cancel()
    expectEqual(history.completion, (ending == .completion ? .finished : nil))
  }

  @Test(arguments: Ending.allCases, [false, true])
  func aSubscriptionKeptAfterItsEndReleasesTheSubscriber(ending: Ending, isInADelivery: Bool) {
    let scene = ReleaseScene()
    let subject = PassthroughSubject<Token, TokenError>()
    scene.subscribe(subject)
    let end: () -> Void = { [unowned scene] in
      switch ending {
      case .cancellation: scene.subscription?.cancel()
      case .completion: subject.send(completion: .finished)
      }
    }
    if isInADelivery {
      scene.onValue = end
      subject.send(Token())
    } else {
      end()
    }
    expectEqual(
      scene.takeNotes(),
      (isInADelivery ? ["value"] : []) + (ending == .completion ? ["finished"] : [])
        + ["released: downstream"])
  }

  @Test func aSubscriptionThatBeganAndEndedDuringASendIsReleased() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = SlowSubscriber<Never>(stopsAt: 1)
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    weak var released: AnyObject?
    let history = History<Int, Never>()
    history.onSubscription = { released = $0 as AnyObject }
    subject.subscribe(history)
    history.cancel()
    history.releaseSubscription()
    #expect(released != nil)
    slow.goOn()
    #expect(released == nil)
  }

  @Test func aBridgeKeptAfterItsEndReleasesTheHub() {
    weak var hub: SubjectHub?
    let source = ScriptedPublisher<Int, Never>()
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      hub = subject.hub
      source.subscribe(SubjectFeed(subject))
      source.finish()
    }
    #expect(hub == nil)
    expectEqual(source.subscriberCount, 1)
  }

  /// Passes a subscription on that it has cancelled.
  private final class Canceller: Subject {
    typealias Output = Int
    typealias Failure = Never

    let subject = PassthroughSubject<Int, Never>()

    func send(_ value: Int) { subject.send(value) }
    func send(completion: Subscribers.Completion<Never>) { subject.send(completion: completion) }

    func send(subscription: any Subscription) {
      subscription.cancel()
      subject.send(subscription: subscription)
    }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }

  @Test func forgetsAnUpstreamThatHasEndedBeforeItWasSent() {
    let subject = Canceller()
    weak var released: SubjectFeed<Canceller>?
    do {
      let source = ScriptedPublisher<Int, Never>()
      let bridge = SubjectFeed(subject)
      released = bridge
      source.subscribe(bridge)
      expectEqual(source.calls, [.cancel])
    }
    #expect(released == nil)
  }

  @Test func requestsFromItsUpstreamsAndCancelsThemInTheirOrder() {
    let log = CallLog()
    var subject: IntSubject? = IntSubject()
    for index in 0..<12 {
      subject?.send(
        subscription: ScriptedSubscription(description: "\(index)", log: log))
    }
    let history = subject?.history(demand: .max(1))
    history?.cancel()
    subject = nil
    expectEqual(
      log.lines, (0..<12).map { "\($0): request unlimited" } + (0..<12).map { "\($0): cancel" })
  }

  @Test(arguments: [Ending.completion, .cancellation])
  func forgetsAnUpstreamThatHasEnded(ending: Ending) {
    let subject = CurrentValueSubject<Int, Never>(0)
    let later = ScriptedSubscription()
    let source = ScriptedPublisher<Int, Never>()
    weak var released: SubjectFeed<CurrentValueSubject<Int, Never>>?
    do {
      let bridge = SubjectFeed(subject)
      released = bridge
      source.subscribe(bridge)
      source.releaseSubscribers()
    }
    subject.send(subscription: later)
    #expect(released != nil)
    switch ending {
    case .completion: released?.receive(completion: .finished)
    case .cancellation: released?.cancel()
    }
    #expect(released == nil)
    expectEqual(later.calls, [.request(.unlimited)])
  }
}
