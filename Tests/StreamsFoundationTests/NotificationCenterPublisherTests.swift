import StreamsFoundation
import TestSupport
import Testing

@Suite struct NotificationCenterPublisherTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("news")

  private final class Paper {}

  private func post(_ number: Int, object: Any? = nil) {
    center.post(name: name, object: object, userInfo: ["number": number])
  }

  /// The numbers in the received notifications.
  private func numbers(_ history: History<Notification, Never>) -> [Int?] {
    history.values.map { $0.userInfo?["number"] as? Int }
  }

  @Test func notificationsAfterTheSubscriptionAreDeliveredIfRequested() {
    let publisher = center.publisher(for: name)
    post(1)
    let history = publisher.history(demand: .none, perValue: .none)
    post(2)
    history.request(.none)
    history.request(2)
    for number in 3...5 { post(number) }
    history.request(.unlimited)
    post(6)
    #expect(numbers(history) == [3, 4, 6])
    #expect(history.lines.first == "subscription NotificationCenter Observer")
    #expect(history.events.count == 4)
    history.cancel()
  }

  @Test func returnedDemandAddsUp() {
    let history = center.publisher(for: name).history(demand: .max(1), perValue: .max(1))
    for number in 1...3 { post(number) }
    #expect(numbers(history) == [1, 2, 3])
    history.cancel()
  }

  @Test func deliversOnlyNotificationsOfTheGivenNameAndObject() {
    let (mine, other) = (Paper(), Paper())
    let everybodys = center.publisher(for: name).history()
    let history = center.publisher(for: name, object: mine).history()
    post(1, object: mine)
    post(2, object: other)
    post(3)
    center.post(name: Notification.Name("other news"), object: mine)
    #expect(numbers(history) == [1])
    #expect(history.values.first?.object as? Paper === mine)
    #expect(numbers(everybodys) == [1, 2, 3])
    history.cancel()
    everybodys.cancel()
  }

  @Test func aCancellationEndsTheObservationAndReleasesEverything() {
    weak var weakCenter: NotificationCenter?
    weak var object: Paper?
    weak var downstream: History<Notification, Never>?
    var subscription: (any Subscription)?
    do {
      let center = NotificationCenter()
      let paper = Paper()
      let history = History<Notification, Never>()
      history.onSubscription = {
        subscription = $0
        $0.request(.unlimited)
      }
      center.publisher(for: name, object: paper).subscribe(history)
      (weakCenter, object, downstream) = (center, paper, history)
      history.onSubscription = nil
      history.releaseSubscription()
    }
    #expect(weakCenter != nil)
    #expect(object != nil)
    #expect(downstream != nil)
    weakCenter?.post(name: name, object: object)
    #expect(downstream?.values.count == 1)
    subscription?.cancel()
    subscription?.cancel()
    subscription?.request(.unlimited)
    #expect(weakCenter == nil)
    #expect(object == nil)
    #expect(downstream == nil)
  }

  @Test func releasingTheSubscriptionEndsTheObservation() {
    weak var object: Paper?
    let history = History<Notification, Never>()
    do {
      let paper = Paper()
      object = paper
      center.publisher(for: name, object: paper).subscribe(history)
    }
    #expect(object != nil)
    history.releaseSubscription()
    #expect(object == nil)
    post(1)
    #expect(history.values.isEmpty)
  }

  @Test func aSubscriberThatCancelsInsideADeliveryGetsNoMore() {
    let history = History<Notification, Never>(demand: .unlimited)
    let other = center.publisher(for: name).history()
    history.onValue = { _ in
      history.cancel()
      self.post(2)
      return .unlimited
    }
    center.publisher(for: name).subscribe(history)
    post(1)
    #expect(numbers(history) == [1])
    #expect(numbers(other).sorted { ($0 ?? 0) < ($1 ?? 0) } == [1, 2])
    history.onValue = nil
    other.cancel()
  }

  @Test func aSubscriberThatCancelsOnAttachingGetsNothing() {
    let history = History<Notification, Never>()
    history.onSubscription = {
      $0.request(.unlimited)
      $0.cancel()
    }
    center.publisher(for: name).subscribe(history)
    post(1)
    #expect(history.lines == ["subscription NotificationCenter Observer"])
    history.onSubscription = nil
  }

  @Test func aNotificationPostedInsideADeliveryNestsIfRequested() {
    let log = CallLog()
    let history = History<Notification, Never>(demand: .max(3))
    history.onValue = { notification in
      let number = notification.userInfo?["number"] as? Int ?? 0
      log.append("begin \(number)")
      if number < 5 { self.post(number + 1) }
      log.append("end \(number)")
      return .unlimited
    }
    center.publisher(for: name).subscribe(history)
    post(1)
    #expect(log.lines == ["begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1"])
    post(4)
    #expect(log.lines.suffix(4) == ["begin 4", "begin 5", "end 5", "end 4"])
    history.onValue = nil
    history.cancel()
  }

  @Test func publishersAreEqualIfTheirCenterNameAndObjectAre() {
    let (mine, other) = (Paper(), Paper())
    let publisher = center.publisher(for: name, object: mine)
    #expect(publisher == NotificationCenter.Publisher(center: center, name: name, object: mine))
    #expect(publisher != center.publisher(for: name, object: other))
    #expect(publisher != center.publisher(for: name))
    #expect(publisher != center.publisher(for: Notification.Name("other"), object: mine))
    #expect(publisher != NotificationCenter().publisher(for: name, object: mine))
    #expect(publisher.center === center)
    #expect(publisher.name == name)
    #expect(publisher.object === mine)
  }

  // MARK: Threads

  @Test func notificationsFromManyThreadsDoNotOverlap() {
    let room = Room()
    let history = History<Notification, Never>()
    history.onValue = { _ in
      room.visit()
      return .none
    }
    center.publisher(for: name).subscribe(history)
    onThreads(4) { thread in
      for number in 0..<200 { post(1000 * thread + number) }
    }
    #expect(numbers(history).count == 800)
    #expect(room.encounters == 0)
    for thread in 0..<4 {
      let own = numbers(history).compactMap { $0 }.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    history.onValue = nil
    history.cancel()
  }

  @Test func subscribingRequestingAndCancellingDuringANotificationIsSafe() {
    onThreads(4) { thread in
      for number in 0..<200 {
        if thread < 2 {
          post(number)
        } else {
          let history = center.publisher(for: name).history(demand: .max(1))
          history.request(1)
          history.cancel()
          #expect(history.events.count <= 3)
        }
      }
    }
  }
}
