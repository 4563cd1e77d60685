import Foundation
import StreamsTesting
import TestSupport
import Testing
import XCTest

/// A subscription that's alive at the end of its world is reported only if nothing but its own
/// closures holds it.
@Suite struct LeakTests {
  private final class Page {
    let numbers = PassthroughSubject<Int, Never>()
    var shown = 0
    var cancellables: Set<AnyCancellable> = []
    var other: Page?
    var action: () -> Void = {}
  }

  private func report(_ line: Int, _ count: Int = 1) -> String {
    let place = "made at LeakTests.swift:\(line)"
    return "LeakTests.swift:\(line): "
      + (count == 1
        ? "a subscription \(place) is still alive, and only its own closures hold it: capture "
          + "weakly what stores it, as with [weak self], or cancel it"
        : "\(count) subscriptions \(place) are still alive, and only their own closures hold them: "
          + "capture weakly what stores them, as with [weak self], or cancel them")
  }

  // MARK: Leaks

  @Test func aCycleIsReportedWithTheLineThatMadeIt() {
    let line = #line + 3
    let found = problems { _ in
      let page = Page()
      page.numbers.sink { page.shown = $0 }.store(in: &page.cancellables)
    }
    #expect(found == [report(line)])
  }

  @Test func cyclesOfOnePlaceAreCounted() {
    let line = #line + 4
    let found = problems { _ in
      for _ in 1...3 {
        let page = Page()
        page.numbers.map { $0 + 1 }.sink { page.shown = $0 }.store(in: &page.cancellables)
      }
    }
    #expect(found == [report(line, 3)])
  }

  @Test func assigningToAPropertyOfItsOwnerIsReported() {
    let line = #line + 3
    let found = problems { _ in
      let page = Page()
      page.numbers.assign(to: \.shown, on: page).store(in: &page.cancellables)
    }
    #expect(found == [report(line)])
  }

  @Test func aCycleOfTwoObjectsIsReported() {
    let line = #line + 3
    let found = problems { _ in
      let (one, two) = (Page(), Page())
      one.numbers.sink { two.shown = $0 }.store(in: &one.cancellables)
      two.numbers.sink { one.shown = $0 }.store(in: &two.cancellables)
    }
    #expect(found == [report(line), report(line + 1)])
  }

  @Test func aCycleThroughAFurtherObjectIsReported() {
    let line = #line + 4
    let found = problems { _ in
      let (one, two) = (Page(), Page())
      two.other = one
      one.numbers.sink { two.shown = $0 }.store(in: &one.cancellables)
    }
    #expect(found == [report(line)])
  }

  @Test func twoStrongClosuresOfOneObjectAreBothReported() {
    let line = #line + 4
    let found = problems { _ in
      let page = Page()
      // The first one's end alone doesn't release it.
      page.numbers.sink { page.shown = $0 }.store(in: &page.cancellables)
      page.numbers.sink { page.shown = -$0 }.store(in: &page.cancellables)
    }
    #expect(found == [report(line), report(line + 1)])
  }

  @Test func aSubscriptionThatACycleKeepsIsReportedToo() {
    let line = #line + 3
    let found = problems { _ in
      let page = Page()
      page.numbers.sink { [weak page] in page?.shown = $0 }.store(in: &page.cancellables)
      page.numbers.sink { page.shown = -$0 }.store(in: &page.cancellables)
    }
    #expect(found == [report(line), report(line + 1)])
  }

  @Test func aClosureThatKeepsItsOwnCancellableIsReported() {
    let subject = PassthroughSubject<Int, Never>()
    let line = #line + 3
    let found = problems { _ in
      var own: AnyCancellable?
      own = subject.sink { if $0 > 9 { own?.cancel() } }
    }
    #expect(found == [report(line)])
  }

  @Test func aSubscriptionThatNothingHoldsIsReported() {
    let subject = PassthroughSubject<Int, Never>()
    let line = #line + 2
    let found = problems { _ in
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
      subject.subscribe(sink)
    }
    #expect(found == [report(line)])
  }

  @Test func aLeakWhoseCancellationGoesToAQueueIsReported() {
    let line = #line + 4
    let found = problems { world in
      let page = Page()
      page.numbers.subscribe(on: DispatchQueue.main).receive(on: DispatchQueue.main)
        .sink { page.shown = $0 }.store(in: &page.cancellables)
      world.run()
    }
    #expect(found == [report(line)])
  }

  @Test func aLeakInAnAsynchronousTestIsReported() async {
    let line = #line + 4
    let found = await problems { _ in
      let page = Page()
      await Task.yield()
      page.numbers.sink { page.shown = $0 }.store(in: &page.cancellables)
    }
    #expect(found == [report(line)])
  }

  @Test func aLeakWithATimerIsReportedOnce() {
    let line = #line + 4
    let found = problems { world in
      let page = Page()
      Timer.publish(every: 1, on: .main, in: .common).autoconnect()
        .sink { _ in page.shown += 1 }.store(in: &page.cancellables)
      world.advance(by: .seconds(3))
    }
    #expect(found == [report(line)])
  }

  // MARK: What isn't one

  @Test func whatSomethingElseHoldsEndsWithTheWorld() {
    let kept = Page()
    let subject = PassthroughSubject<Int, Never>()
    var closures: [() -> Void] = []
    let log = CallLog()
    let found = problems { _ in
      subject.sink { _ in log.append("weak") }.store(in: &kept.cancellables)
      subject.sink { kept.shown = $0 }.store(in: &kept.cancellables)
      subject.assign(to: \.shown, on: kept).store(in: &kept.cancellables)
      let inClosure = subject.sink { _ in log.append("closure") }
      closures.append { withExtendedLifetime(inClosure) {} }
      subject.send(1)
    }
    #expect(found == [])
    subject.send(2)
    #expect(kept.shown == 1)
    #expect(log.lines == ["weak", "closure"])
  }

  /// What the closure of another subscription holds isn't a leak if that one isn't.
  @Test func whatAHeldClosureHoldsIsNoLeak() {
    let kept = Page()
    let subject = PassthroughSubject<Int, Never>()
    let found = problems { _ in
      let page = Page()
      page.numbers.sink { [weak page] in page?.shown = $0 }.store(in: &page.cancellables)
      subject.sink { page.shown = $0 }.store(in: &kept.cancellables)
    }
    #expect(found == [])
  }

  @Test func aTimerOfAHeldSubscriptionIsFine() {
    let kept = Page()
    let found = problems { world in
      Timer.publish(every: 1, on: .main, in: .common).autoconnect()
        .sink { [weak kept] _ in kept?.shown += 1 }.store(in: &kept.cancellables)
      world.advance(by: .seconds(3))
    }
    #expect(found == [])
    #expect(kept.shown == 3)
  }

  /// The cancellation sends a value to a recorder that the test has looked at.
  @Test func theEndOfHeldSubscriptionsIsNoEventOfTheTest() {
    let kept = Page()
    let found = problems { world in
      let ends = PassthroughSubject<Int, Never>()
      let recorder = world.record(ends)
      PassthroughSubject<Int, Never>().handleEvents(receiveCancel: { ends.send(1) })
        .sink { _ in }.store(in: &kept.cancellables)
      #expect(recorder.values == [])
    }
    #expect(found == [])
  }

  private final class Shared: Sendable {
    static let direct = Shared()
    static let ofAClosure: Shared = {
      let shared = Shared()
      return shared
    }()
    static let onDemand = Shared()

    let source = PassthroughSubject<Int, Never>()
    let values = Locked<[Int]>([])
    let cancellables = Locked<Set<AnyCancellable>>([])

    init() { start() }

    func start() {
      let subscription = source.map { $0 * 10 }.sink { [self] value in
        values.withLock { $0.append(value) }
      }
      cancellables.withLock { _ = $0.insert(subscription) }
    }
  }

  /// Its initializer subscribes once for all tests.
  @Test func aSharedObjectKeepsItsSubscription() {
    for shared in [{ Shared.direct }, { Shared.ofAClosure }] {
      for value in 1...2 {
        let found = problems { _ in shared().source.send(value) }
        #expect(found == [])
      }
      #expect(shared().values.withLock { $0 } == [10, 20])
    }
  }

  @Test func aSharedObjectThatSubscribesLaterIsNoLeak() {
    _ = Shared.onDemand
    let found = problems { _ in Shared.onDemand.start() }
    #expect(found == [])
  }

  private actor SharedActor {
    static let shared = SharedActor()
    private var cancellables: Set<AnyCancellable> = []
    private(set) var values: [Int] = []

    func follow(_ numbers: some Publisher<Int, Never>) {
      numbers.sink { [weak self] number in
        self?.assumeIsolated { $0.values.append(number) }
      }
      .store(in: &cancellables)
    }
  }

  @Test func aSharedActorIsNoLeak() async {
    let found = await problems { _ in await SharedActor.shared.follow([1, 2].publisher) }
    #expect(found == [])
    let never = await problems { _ in
      await SharedActor.shared.follow(Empty<Int, Never>(completeImmediately: false))
    }
    #expect(never == [])
    #expect(await SharedActor.shared.values == [1, 2])
  }
}

/// A suite is made for each test, and released before the world ends.
@Suite(.world) final class LeakSuiteTests {
  private let subject = PassthroughSubject<Int, Never>()
  private var cancellables: Set<AnyCancellable> = []

  @Test func mayKeepSubscriptions() {
    subject.sink { _ in }.store(in: &cancellables)
  }

  @Test func mayKeepSubscriptionsOfAWorldInside() {
    withWorld { _ in subject.sink { _ in }.store(in: &cancellables) }
  }
}

/// The usual shape of a test case. XCTest keeps it until the end of the run.
final class LeakXCTests: WorldTestCase {
  private final class Model {
    let text = PassthroughSubject<String, Never>()
    private(set) var shown = ""
    private var cancellables: Set<AnyCancellable> = []

    init() {
      text.receive(on: DispatchQueue.main).sink { [weak self] in self?.shown = $0 }
        .store(in: &cancellables)
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in }
        .store(in: &cancellables)
    }
  }

  private var model: Model!
  private var cancellables: Set<AnyCancellable> = []

  override func setUp() { model = Model() }

  func testInAWorldTestCase() throws {
    let world = try World.current
    var seen: [String] = []
    model.text.sink { seen.append($0) }.store(in: &cancellables)
    model.text.send("a")
    world.settle()
    XCTAssertEqual(model.shown, "a")
    XCTAssertEqual(seen, ["a"])
  }
}

final class LeakInWorldXCTests: XCTestCase {
  private var page: CurrentValueSubject<Int, Never>!
  private var cancellables: Set<AnyCancellable> = []

  func testWithWorld() {
    withWorld { _ in
      page = CurrentValueSubject(1)
      page.sink { _ in }.store(in: &cancellables)
    }
  }

  func testWithWorldInATask() async {
    await withWorld { _ in
      await Task.yield()
      page = CurrentValueSubject(1)
      page.sink { _ in }.store(in: &cancellables)
    }
  }
}
