import Foundation
import Streams
import TestSupport
import Testing

/// Tests which boundaries between publishers and subscribers a hook is told about, and how taps
/// look.
struct BoundaryTests {
  typealias Source = PassthroughSubject<Int, TestError>

  @Test func everyWayToSubscribeIsReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let box = Box()
      let just = Just(1)
      _ = just.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      _ = just.assign(to: \.value, on: box)
      just.assign(to: &box.$published)
      _ = just.subscribe(PassthroughSubject<Int, Never>())
      _ = just.multicast(subject: PassthroughSubject()).connect()
      _ = box.$published.history()
      _ = Future<Int, Never> { $0(.success(1)) }.history()
      just.subscribe(AnySubscriber(History<Int, Never>()))
      log.expectAttachments([
        "Sink to Just", "Assign Box. to Just", "Subject to Just", "Subject to Just",
        "Subject to Just", "History to Publisher", "AnySubscriber to PropertySubject",
        "History to Future", "AnySubscriber to Just",
      ])
      // Not `subscribe(_:)`, so it's nothing for a hook.
      just.receive(subscriber: History())
      log.expect([])
    }
  }

  @Test func asyncCodeIsReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      var values: [Int] = []
      for await value in Just(1).map({ $0 + 1 }).eraseToAnyPublisher().values {
        values.append(value)
      }
      values.append(await Future<Int, Never> { $0(.success(3)) }.value)
      expectEqual(values, [2, 3])
      let attachments = log.takeAttachments()
      expectEqual(attachments.map { $0.suffix(9) }, ["Publisher", "to Future"])
    }
  }

  @Test func eachUpstreamOfAnOperatorIsReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let (a, b) = (Source(), Source())
      let one = Just(1).setFailureType(to: TestError.self)
      let two = [2].publisher.setFailureType(to: TestError.self)
      let failure = Fail<Int, TestError>(error: "no more")
      log.expect(a.merge(with: b), "MergeMany", "Merge to Source, Merge to Source")
      log.expect(one.merge(with: two), "Merge", "Merge to Publisher, Merge to Sequence")
      log.expect(a.zip(b), "Zip", "Zip to Source, Zip to Source")
      log.expect(
        a.combineLatest(b), "CombineLatest", "CombineLatest to Source, CombineLatest to Source")
      log.expect(
        one.append(a), "Concatenate", "Concatenate to Publisher, Concatenate to Source")
      log.expect(failure.catch { _ in a }, "Catch", "Catch to Fail, Catch to Source")
      log.expect(failure.retry(1), "Retry", "Retry to Fail, Retry to Fail")
      log.expect(
        a.prefix(untilOutputFrom: b), "PrefixUntilOutput",
        "PrefixUntilOutput to Source, PrefixUntilOutput to Source")
      log.expect(
        a.drop(untilOutputFrom: b), "DropUntilOutput",
        "DropUntilOutput to Source, DropUntilOutput to Source")
      log.expect(
        one.flatMap { Just($0).setFailureType(to: TestError.self) }, "FlatMap",
        "FlatMap to Publisher, FlatMap to Publisher")
      log.expect(
        one.map { _ in a }.switchToLatest(), "SwitchToLatest",
        "SwitchToLatest to Publisher, SwitchToLatest to Source")
      log.expect(
        a.share(), "Share",
        "AnySubscriber to Autoconnect, Autoconnect to Multicast, Multicast to Source, "
          + "Subject to Source")
      log.expect(
        a.assertNoFailure().makeConnectable(), "MakeConnectable",
        "AnySubscriber to Multicast, Multicast to Source")
    }
  }

  @Test func aSinkReportsItsWholeChain() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let subject = Source()
      let subscription = subject.map { $0 * 10 }.filter { $0 > 0 }.scan(0, +).tryMap { $0 }
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      log.expectAttachments([
        "Sink to TryMap", "TryMap to Scan", "Scan to Filter", "Filter to Map",
        "Map to PassthroughSubject",
      ])
      subscription.cancel()
    }
  }

  @Test func theSubscriberOfReceiveIsNotReportedButTheStagesInFrontOfItAre() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let subject = Source()
      subject.map { $0 * 10 }.receive(
        subscriber: Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      subject.map { $0 * 10 }.receive(subscriber: History())
      log.expectAttachments(["Map to PassthroughSubject", "Map to PassthroughSubject"])
      subject.send(completion: .finished)
    }
  }

  @Test func anUpstreamThatIsAttachedLaterIsReportedIfAHookIsEnabledByThen() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog()
      let next = Source().map { $0 }
      let nextLines = { (stage: String) in ["\(stage) to Map", "Map to PassthroughSubject"] }

      let failing = ScriptedPublisher<Int, TestError>()
      log.expectLater(failing.map { $0 }.retry(1), ["Retry to Map", "Map to ScriptedPublisher"]) {
        failing.fail("no more", to: 0)
      }
      log.expectLater(failing.catch { _ in next }, nextLines("Catch")) { failing.fail("no more") }
      log.expectLater(failing.append(next), nextLines("Concatenate")) { failing.finish() }
      log.expectLater(failing.flatMap { _ in next }, nextLines("FlatMap")) { failing.send(1) }
      log.expectLater(failing.map { _ in next }.switchToLatest(), nextLines("SwitchToLatest")) {
        failing.send(1)
      }
      let scheduler = ManualScheduler()
      log.expectLater(next.subscribe(on: scheduler), nextLines("SubscribeOn")) { scheduler.run() }
      // It cancels on the scheduler.
      scheduler.run()
    }
  }

  @Test func aSubscriberThatIsPassedOnIsReportedTwiceButItsSignalsOnce() async {
    await #expect(processExitsWith: .success) {
      let types = CallLog()
      let hook = Types(types)
      let log = SignalLog()
      hook.enable()
      log.enable()
      let history = Deferred { Deferred { Just(1) }.eraseToAnyPublisher() }.history()
      expectEqual(
        types.lines,
        [
          "History<Int, Never>: 1", "AnySubscriber<Int, Never>", "AnySubscriber<Int, Never>",
          "History<Int, Never>",
        ])
      // `AnyPublisher` hides the boundary to the second `Deferred`.
      log.expectAttachments([
        "History to Deferred", "AnySubscriber to AnyPublisher", "AnySubscriber to Just",
      ])
      expectEqual(history.text, "Just: 1 |")
    }
  }

  @Test func aTapLooksLikeWhatItStandsFor() async {
    await #expect(processExitsWith: .success) {
      SignalLog().enable()
      let own = ScriptedSubscription(description: "own")
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
      let history = History<Int, Never>()
      history.onSubscription = { subscription in
        #expect(!(subscription is ScriptedSubscription))
        expectEqual("\(subscription)", "own")
        #expect(subscription is any CustomStringConvertible)
        #expect(!(subscription is any CustomReflectable))
        expectEqual(subscription.combineIdentifier, own.combineIdentifier)
      }
      let peek = Peek(subscription: own) { subscriber in
        #expect(!(subscriber is Subscribers.Sink<Int, Never>))
        #expect(!(subscriber is AnySubscriber<Int, Never>))
        #expect(["\(sink)", "\(history)"].contains("\(subscriber)"))
        #expect(subscriber is any CustomStringConvertible)
        #expect(!(subscriber is any CustomReflectable))
        #expect(
          [sink.combineIdentifier, history.combineIdentifier]
            .contains(subscriber.combineIdentifier))
      }
      peek.subscribe(sink)
      peek.subscribe(history)
    }
  }

  @Test func withoutAHookNothingIsTapped() {
    // Not in a process of its own: no other test of this process enables a hook.
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.map { $0 }.history(demand: .none)
    history.onSubscription = { #expect($0 is ScriptedSubscription) }
    source.sendSubscription()
    expectEqual(history.text, "upstream: upstream:")
  }

  @Test func deepRecursionStillNeedsAConstantStack() async {
    await #expect(processExitsWith: .success) {
      let hook = Silent()
      hook.enable()
      @Sendable func page(_ number: Int) -> AnyPublisher<Int, Never> {
        Just(number).append(number + 1).map { -$0 }.last()
          .flatMap { $0 == -3_000 ? Just(-$0).eraseToAnyPublisher() : page(-$0) }
          .eraseToAnyPublisher()
      }
      let ended = DispatchSemaphore(value: 0)
      let thread = Thread {
        if page(0).history().values != [3_000] { fatalError("the value is missing") }
        ended.signal()
      }
      thread.stackSize = 2 << 20
      thread.start()
      ended.wait()
    }
  }

  // MARK: All operators

  @Test func noOperatorDeliversAnythingElse() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog()
      for operation in Operation.all {
        let numbers = { (1...5).publisher.setFailureType(to: TestError.self) }
        let unseen = operation.applied(to: numbers()).subscribe()
        log.enable()
        let seen = operation.applied(to: numbers()).subscribe()
        log.disable()
        expectEqual(seen.lines, unseen.lines, "\(operation)")
        let lines = log.takeLines()
        // At least one boundary was reported, and each stage has a name.
        let attachments = lines.filter { $0.hasPrefix("> subscribe ") }
        #expect(attachments.count > 1, "\(operation)")
        let unnamed = lines.filter { $0.contains("Stage") || $0.contains("Streams.") }
        expectEqual(unnamed, [], "\(operation): \(unnamed)")
      }
    }
  }
}

private final class Box {
  var value = 0
  @Published var published = 0
}

extension SignalLog {
  /// Subscribes to a publisher, and compares which attachments this hook was told about: that of
  /// the history to the publisher, and then the others. `Source` stands for a subject.
  fileprivate func expect<P: Publisher>(
    _ publisher: P, _ name: String, _ others: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let history = publisher.history()
    let expected = ["History to \(name)"] + others.split(separator: ", ").map(String.init)
    expectAttachments(
      expected.map {
        $0.hasSuffix("to Source") ? String($0.dropLast(6)) + "PassthroughSubject" : $0
      },
      sourceLocation: sourceLocation)
    history.cancel()
    _ = takeLines()
  }
}

extension SignalLog {
  /// Attaches a sink while no hook is enabled, and compares which attachments this hook is told
  /// about later.
  fileprivate func expectLater<P: Publisher>(
    _ publisher: P, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation,
    attach: () -> Void
  ) {
    let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    enable()
    attach()
    disable()
    expectAttachments(expected, sourceLocation: sourceLocation)
    subscription.cancel()
  }
}

/// Notes the static types that a hook sees.
private final class Types: _Introspection {
  let log: CallLog
  init(_ log: CallLog) { self.log = log }
  func didReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {
    log.append("\(S.self)")
  }
  func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber {
    log.append("\(S.self): \(input)")
  }
}

/// A publisher that shows its subscriber to the test.
private struct Peek: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let subscription: ScriptedSubscription
  let onSubscriber: (any Subscriber<Int, Never>) -> Void
  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
    onSubscriber(subscriber)
    subscriber.receive(subscription: subscription)
  }
}

private final class Silent: _Introspection {}
