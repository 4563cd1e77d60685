import Dispatch
import Streams
import TestSupport
import Testing

struct PrintTests {
  let source = ScriptedPublisher<Int, TestError>()
  private let paper = Paper()

  @Test func printsEverythingInBothDirections() {
    let history = source.print(to: paper).history(demand: .max(2), perValue: .max(3))
    source.send(1)
    history.request(.unlimited)
    source.fail("no more")
    paper.expect([
      "receive subscription: (upstream)", "request max: (2)", "receive value: (1)",
      "request max: (3) (synchronous)", "request unlimited", "receive error: (no more)",
    ])
    expectEqual(history.text, "Print: 1 x(no more)")
    expectEqual(source.calls, [.request(.max(2)), .request(.unlimited)])
  }

  @Test func afterAnOperatorThatOnlyDropsValuesUpstreamsSubscriptionIsShown() {
    let subject = PassthroughSubject<Int, Never>()
    subject.filter { $0 > 1 }.print(to: paper).history().cancel()
    subject.compactMap { $0 }.print(to: paper).history().cancel()
    subject.ignoreOutput().print(to: paper).history().cancel()
    subject.filter { $0 > 1 }.compactMap { $0 }.print(to: paper).history().cancel()
    [1].publisher.filter { $0 > 0 }.print(to: paper).history().cancel()
    Result<Int, Never>.success(1).publisher.print(to: paper).history().cancel()
    expectEqual(
      paper.lines.filter { $0.contains("subscription") },
      Array(repeating: "receive subscription: (PassthroughSubject)", count: 4)
        + ["receive subscription: ([1])", "receive subscription: (Once)"])
  }

  /// The subscription of a publisher type of one's own, which can be described in several ways.
  @Test(arguments: NamedByHand.all)
  func afterAFilterAnOwnSubscriptionHasItsOwnName(_ subscription: NamedByHand) {
    let own = NamingPublisher(subscription: subscription.make())
    let (plain, filtered) = (Paper(), Paper())
    own.print(to: plain).history(demand: .none).cancel()
    own.filter { _ in true }.print(to: filtered).history(demand: .none).cancel()
    own.compactMap { $0 }.print(to: filtered).history(demand: .none).cancel()
    own.ignoreOutput().print(to: filtered).history(demand: .none).cancel()
    let line = "receive subscription: (\(subscription.name))"
    expectEqual(plain.lines.filter { $0.contains("subscription") }, [line])
    expectEqual(
      filtered.lines.filter { $0.contains("subscription") }, Array(repeating: line, count: 3))
  }

  @Test func eachLineStartsWithThePrefix() {
    let history = [1, 2].publisher.print("numbers", to: paper)
      .history(demand: .max(1), perValue: .unlimited)
    paper.expect([
      "numbers: receive subscription: ([1, 2])", "numbers: request max: (1)",
      "numbers: receive value: (1)", "numbers: request unlimited (synchronous)",
      "numbers: receive value: (2)", "numbers: request unlimited (synchronous)",
      "numbers: receive finished",
    ])
    expectEqual(history.values, [1, 2])
  }

  @Test func aReturnedDemandOfZeroIsNotPrinted() {
    let sink = Just(1).print(to: paper).sink { _ in }
    paper.expect([
      "receive subscription: (Just)", "request unlimited", "receive value: (1)", "receive finished",
    ])
    sink.cancel()
  }

  @Test func aLineIsWrittenInTheSamePiecesAsByPrint() {
    Empty<Int, Never>().print("p", to: paper).history().cancel()
    expectEqual(
      paper.writes,
      [
        "", "p: receive subscription: (Empty)", "\n", "", "p: request unlimited", "\n", "",
        "p: receive finished", "\n", "", "p: receive cancel", "\n",
      ])
  }

  @Test func printsToStandardOutputByDefault() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      Just(1).print("one").history().cancel()
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let text = """
      one: receive subscription: (Just)
      one: request unlimited
      one: receive value: (1)
      one: receive finished
      one: receive cancel

      """
    #expect(output.contains(text))
  }

  @Test func printsBeforeItPassesOn() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    source.print(to: LoggedPaper(log: log)).subscribe(
      History(demand: .max(1), perValue: .max(2), log: log))
    source.send(1)
    source.finish()
    log.expect([
      "upstream: subscribe", "paper: receive subscription: (upstream)",
      "downstream: subscription Print", "paper: request max: (1)", "upstream: request max(1)",
      "paper: receive value: (1)", "downstream: value 1", "paper: request max: (2) (synchronous)",
      "paper: receive finished", "downstream: finished",
    ])
  }

  @Test(arguments: [false, true])
  func afterTheEndRequestsAndCancellationsAreOnlyPrinted(isCancelled: Bool) {
    let history = source.print(to: paper).history()
    if isCancelled { history.cancel() } else { source.finish() }
    history.request(1)
    history.cancel()
    history.cancel()
    expectEqual(
      paper.lines.dropFirst(2),
      [
        isCancelled ? "receive cancel" : "receive finished", "request max: (1)", "receive cancel",
        "receive cancel",
      ])
    expectEqual(source.calls, [.request(.unlimited)] + (isCancelled ? [.cancel] : []))
  }

  @Test func signalsThatBreakTheRulesArePassedOnAndPrinted() {
    let history = source.print(to: paper).history(perValue: .max(1))
    source.finish()
    expectEqual(source.send(1), .max(1))
    source.fail("late")
    expectEqual(
      paper.lines.dropFirst(2),
      [
        "receive finished", "receive value: (1)", "request max: (1) (synchronous)",
        "receive error: (late)",
      ])
    expectEqual(history.text, "Print: | 1 x(late)")
  }

  @Test func signalsBeforeTheSubscriptionPass() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.print(to: paper).history(perValue: .max(1))
    expectEqual(source.send(1), .max(1))
    source.finish()
    paper.expect(["receive value: (1)", "request max: (1) (synchronous)", "receive finished"])
    expectEqual(history.text, "1 |")
  }

  @Test func anExtraSubscriptionIsPrintedAndCancelled() {
    let history = source.print(to: paper).history()
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(paper.lines.last, "receive subscription: (upstream)")
    expectEqual(history.text, "Print:")
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
  }

  @Test func aRequestForZeroValuesIsPrintedAndPassedOn() {
    let history = source.print(to: paper).history(demand: .none)
    history.request(.none)
    expectEqual(paper.lines.last, "request max: (0)")
    expectEqual(source.calls, [.request(.none)])
  }

  @Test func aSendFromWithinADeliveryNests() {
    let history = History<Int, TestError>()
    history.onValue = { value in
      if value == 1 { source.send(2) }
      return .max(value)
    }
    source.print(to: paper).subscribe(history)
    source.send(1)
    expectEqual(
      paper.lines.dropFirst(2),
      [
        "receive value: (1)", "receive value: (2)", "request max: (2) (synchronous)",
        "request max: (1) (synchronous)",
      ])
  }

  @Test func aLineCausedByWritingAnotherFollowsIt() {
    let history = source.print(to: paper).history()
    paper.onWrite = { text in
      if text.hasPrefix("receive value") { history.cancel() }
    }
    source.send(1)
    expectEqual(paper.lines.suffix(2), ["receive value: (1)", "receive cancel"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func eachSubscriberPrintsToItsOwnCopyOfAStream() {
    let paper = CountingPaper()
    let publisher = Just(1).print(to: paper)
    expectEqual(publisher.history().values, [1])
    expectEqual(publisher.history().values, [1])
    paper.log.expect(["1", "2", "3", "4", "1", "2", "3", "4"])
  }

  @Test func linesOfSeveralThreadsDoNotMix() {
    let history = source.print(to: paper).history(demand: .none)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      for _ in 0..<500 {
        switch thread {
        case 0: source.send(1)
        case 1: history.request(2)
        default: history.cancel()
        }
      }
    }
    expectEqual(
      Dictionary(grouping: paper.lines, by: \.self).mapValues(\.count),
      [
        "receive subscription: (upstream)": 1, "receive value: (1)": 500, "request max: (2)": 500,
        "receive cancel": 500,
      ])
    expectEqual(source.calls.count { $0 == .cancel }, 1)
  }
}

/// A subscription that's described in one of the ways that Swift has.
struct NamedByHand: CustomTestStringConvertible, Sendable {
  let name: String
  let make: @Sendable () -> any Subscription
  var testDescription: String { name }

  static let all = [
    NamedByHand(name: "\(PlainObject())") { PlainObject() },
    NamedByHand(name: "PlainValue(number: 7)") { PlainValue() },
    NamedByHand(name: "described object") { DescribedObject() },
    NamedByHand(name: "described value") { DescribedValue() },
    NamedByHand(name: "debugged value") { DebuggedValue() },
    NamedByHand(name: "streamed object") { StreamedObject() },
    NamedByHand(name: "ReflectedValue(a: 1)") { ReflectedValue() },
    NamedByHand(name: "only") { SingleCase.only },
  ]
}

private protocol Silent: Subscription {}

extension Silent {
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

private final class PlainObject: Silent {}

private struct PlainValue: Silent {
  let number = 7
  var combineIdentifier: CombineIdentifier { CombineIdentifier(Anchor.object) }
}

private final class DescribedObject: Silent, CustomStringConvertible {
  var description: String { "described object" }
}

private struct DescribedValue: Silent, CustomStringConvertible {
  var combineIdentifier: CombineIdentifier { CombineIdentifier(Anchor.object) }
  var description: String { "described value" }
}

private struct DebuggedValue: Silent, CustomDebugStringConvertible {
  var combineIdentifier: CombineIdentifier { CombineIdentifier(Anchor.object) }
  var debugDescription: String { "debugged value" }
}

private final class StreamedObject: Silent, TextOutputStreamable {
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("streamed object") }
}

private struct ReflectedValue: Silent, CustomReflectable {
  var combineIdentifier: CombineIdentifier { CombineIdentifier(Anchor.object) }
  var customMirror: Mirror { Mirror(self, children: ["a": 1], displayStyle: .struct) }
}

private enum SingleCase: Silent {
  case only
  var combineIdentifier: CombineIdentifier { CombineIdentifier(Anchor.object) }
}

private enum Anchor {
  static let object = CallLog()
}

/// A publisher type of one's own.
private struct NamingPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let subscription: any Subscription

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: subscription)
  }
}

/// A stream that keeps everything written to it.
private final class Paper: TextOutputStream, @unchecked Sendable {
  // The operator promises that only one thread writes at a time. The thread sanitizer checks that.
  private(set) var writes: [String] = []
  var onWrite: ((String) -> Void)?

  /// The written text, line by line.
  var lines: [String] { writes.joined().split(separator: "\n").map(String.init) }

  /// Compares all lines so far.
  func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(lines, expected, sourceLocation: sourceLocation)
  }

  func write(_ text: String) {
    writes.append(text)
    onWrite?(text)
  }
}

/// A stream that writes each line to a log.
private struct LoggedPaper: TextOutputStream {
  let log: CallLog

  func write(_ text: String) {
    if !text.isEmpty && text != "\n" { log.append("paper: \(text)") }
  }
}

/// A stream with its own value, which counts its lines.
private struct CountingPaper: TextOutputStream {
  let log = CallLog()
  var count = 0

  mutating func write(_ text: String) {
    guard text == "\n" else { return }
    count += 1
    log.append("\(count)")
  }
}
