import Streams
import TestSupport
import Testing

/// Tests one rule for every operator: signals before a subscription, or after a completion or a
/// cancellation, are dropped, and a second subscription is cancelled. An upstream that has ended
/// gets neither requests nor a cancellation.
///
/// Each test runs an operator twice, with these extra signals and without them. Both runs must look
/// the same from both sides. The table at the end of the file lists the exceptions.
struct OutOfTurnTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(
    arguments: Operation.all(but: .early),
    [Subscribers.Completion.finished, .failure(TestError("early"))])
  func signalsBeforeTheSubscriptionAreDropped(
    _ operation: Operation, completion: Subscribers.Completion<TestError>
  ) {
    expectTheSame(operation, sendsSubscription: false) { source, run, isPlain in
      if !isPlain {
        #expect(source.send(7) == .none)
        source.send(completion: completion)
      }
      source.sendSubscription()
      for value in 1...3 { source.send(value) }
      source.finish()
    }
  }

  @Test(
    arguments: Operation.all(but: .late),
    [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func signalsAfterTheEndAreDropped(
    _ operation: Operation, completion: Subscribers.Completion<TestError>
  ) {
    if operation.cannotFail, completion != .finished { return }
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      source.send(completion: completion)
      run.settle()
      guard !isPlain else { return }
      #expect(source.send(7) == .none)
      source.finish()
      run.request()
      run.cancel()
    }
  }

  @Test(arguments: Operation.all(but: .late))
  func signalsAfterACancellationAreDropped(_ operation: Operation) {
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      run.cancel()
      guard !isPlain else { return }
      #expect(source.send(7) == .none)
      source.finish()
      run.request()
      run.cancel()
    }
  }

  @Test(arguments: Operation.all(but: .second))
  func aSecondSubscriptionIsCancelled(_ operation: Operation) {
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      if !isPlain {
        #expect(source.sendSubscription().calls == [.cancel])
      }
      source.send(2)
      source.finish()
      if !isPlain { #expect(source.sendSubscription().calls == [.cancel]) }
    }
  }

  /// Operators without state can't tell these signals apart. They pass everything on, as in
  /// Combine.
  @Test(arguments: Operation.all.filter { $0.passesOn == .all })
  func aStageWithoutMemoryPassesEverythingOn(_ operation: Operation) {
    let source = Source(sendsSubscription: false)
    let run = operation.subscribe(source)
    source.send(1)
    source.finish()
    source.send(2)
    #expect(run.lines() == ["value 1", "finished", "value 2"])
  }

  private func expectTheSame(
    _ operation: Operation, sendsSubscription: Bool = true,
    _ script: (_ source: Source, _ run: Operation.Run, _ isPlain: Bool) -> Void
  ) {
    let (plain, odd) = (
      Source(sendsSubscription: sendsSubscription), Source(sendsSubscription: sendsSubscription)
    )
    let (plainRun, oddRun) = (operation.subscribe(plain), operation.subscribe(odd))
    script(plain, plainRun, true)
    script(odd, oddRun, false)
    #expect(oddRun.lines() == plainRun.lines())
    #expect(odd.subscriptions.first?.calls == plain.subscriptions.first?.calls)
    #expect(odd.subscriberCount == plain.subscriberCount)
  }
}

/// An operator, and the signals out of turn that it passes on.
struct Operation: CustomTestStringConvertible, Sendable {
  typealias Source = ScriptedPublisher<Int, TestError>

  struct Signals: OptionSet, Sendable {
    let rawValue: Int
    /// Signals before the subscription.
    static let early = Signals(rawValue: 1)
    /// Signals after a completion or a cancellation.
    static let late = Signals(rawValue: 2)
    /// A second subscription.
    static let second = Signals(rawValue: 4)
    static let all: Signals = [.early, .late, .second]
  }

  /// The test's access to one subscription.
  struct Run {
    let lines: () -> [String]
    /// Runs actions that wait for a clock.
    var settle: () -> Void = {}
    let request: () -> Void
    let cancel: () -> Void
  }

  let label: String
  var passesOn: Signals = []
  /// Whether a failure stops the program.
  var cannotFail = false
  let subscribe: @Sendable (Source) -> Run

  var testDescription: String { label }

  init<P: Publisher & SendableMetatype>(
    _ label: String, passesOn: Signals = [], cannotFail: Bool = false,
    _ apply: @escaping @Sendable (Source) -> P
  ) {
    self.label = label
    self.passesOn = passesOn
    self.cannotFail = cannotFail
    subscribe = { source in
      let history = apply(source).history()
      return Run(
        lines: { history.lines }, request: { history.request(1) }, cancel: { history.cancel() })
    }
  }

  /// Makes an operator with a clock. The clock runs before the lines are read.
  init<P: Publisher & SendableMetatype>(
    clock label: String, _ apply: @escaping @Sendable (Source, ManualScheduler) -> P
  ) {
    self.label = label
    subscribe = { source in
      let clock = ManualScheduler()
      let history = apply(source, clock).history()
      let settle = { for _ in 0..<100 { clock.runNext() } }
      return Run(
        lines: {
          settle()
          return history.lines
        }, settle: settle, request: { history.request(1) }, cancel: { history.cancel() })
    }
  }

  static func all(but signals: Signals) -> [Operation] {
    all.filter { $0.passesOn.isDisjoint(with: signals) }
  }
}

extension Operation {
  static let all =
    stateless + debugging + sieves + selecting + reducing + succession + junctions
    + sharing + scheduling + buffering

  /// Operators without state, which forward every signal, so they cost nothing per value.
  private static let stateless = [
    Operation("map", passesOn: .all) { $0.map { $0 } },
    Operation("map(keyPath)", passesOn: .all) { $0.map(\.self) },
    Operation("mapError", passesOn: .all) { $0.mapError { $0 } },
    Operation("setFailureType", passesOn: .all) {
      $0.assertNoFailure().setFailureType(to: TestError.self)
    },
    Operation("assertNoFailure", passesOn: .all) { $0.assertNoFailure() },
    Operation("scan", passesOn: .all) { $0.scan(0) { $1 } },
  ]

  /// Operators for debugging. They show signals that shouldn't happen, too.
  private static let debugging = [
    Operation("print", passesOn: [.early, .late]) { $0.print(to: Nowhere()) },
    Operation("handleEvents", passesOn: [.early, .late]) { $0.handleEvents() },
  ]

  private static let sieves = [
    Operation("filter") { $0.filter { _ in true } },
    Operation("compactMap") { $0.compactMap { $0 } },
    Operation("removeDuplicates") { $0.removeDuplicates() },
    Operation("tryFilter") { $0.tryFilter { _ in true } },
    Operation("tryCompactMap") { $0.tryCompactMap { $0 } },
    Operation("tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 == $1 } },
    Operation("tryMap") { $0.tryMap { $0 } },
    Operation("tryScan") { $0.tryScan(0) { $0 + $1 } },
    Operation("encode") { $0.encode(encoder: Same()) },
    Operation("decode") { $0.decode(type: Int.self, decoder: Same()) },
  ]

  private static let selecting = [
    Operation("prefix") { $0.prefix(2) },
    Operation("output(at:)") { $0.output(at: 1) },
    Operation("prefix(while:)") { $0.prefix { $0 < 3 } },
    Operation("tryPrefix(while:)") { $0.tryPrefix { $0 < 3 } },
    Operation("prefix(untilOutputFrom:)") {
      $0.prefix(untilOutputFrom: PassthroughSubject<Int, Never>())
    },
    Operation("first") { $0.first() },
    Operation("first(where:)") { $0.first { $0 > 1 } },
    Operation("tryFirst(where:)") { $0.tryFirst { $0 > 1 } },
    Operation("last") { $0.last() },
    Operation("last(where:)") { $0.last { $0 > 1 } },
    Operation("tryLast(where:)") { $0.tryLast { $0 > 1 } },
  ]

  private static let reducing = [
    Operation("collect") { $0.collect() },
    Operation("collect(2)") { $0.collect(2) },
    Operation("count") { $0.count() },
    Operation("ignoreOutput") { $0.ignoreOutput() },
    Operation("reduce") { $0.reduce(0) { $0 + $1 } },
    Operation("tryReduce") { $0.tryReduce(0) { $0 + $1 } },
  ]

  private static let succession = [
    // A second failure traps, as in Combine.
    Operation("catch") { $0.catch { _ in Empty<Int, TestError>() } },
    Operation("tryCatch") { $0.tryCatch { _ in Empty<Int, TestError>() } },
    Operation("replaceError") { $0.replaceError(with: 9) },
    Operation("retry") { $0.retry(0) },
  ]

  private static let junctions = [
    Operation("flatMap, upstream") { $0.flatMap { Just($0).setFailureType(to: TestError.self) } },
    Operation("flatMap, child") { source in
      Just(1).setFailureType(to: TestError.self).flatMap { _ in source }
    },
    Operation("switchToLatest, upstream") {
      $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest()
    },
    Operation("switchToLatest, newest") { source in
      Just(source).setFailureType(to: TestError.self).switchToLatest()
    },
    Operation("merge") { $0.merge(with: Empty<Int, TestError>()) },
    Operation("zip") { $0.zip((1...9).publisher.setFailureType(to: TestError.self)) },
    Operation("combineLatest") { $0.combineLatest(Just(1).setFailureType(to: TestError.self)) },
  ]

  private static let sharing = [
    Operation("share") { $0.share() },
    Operation("multicast, autoconnect") {
      $0.multicast(subject: PassthroughSubject()).autoconnect()
    },
  ]

  private static let scheduling = [
    Operation("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
    Operation("subscribe(on:)") { $0.subscribe(on: ImmediateScheduler.shared) },
    Operation(clock: "delay") { $0.delay(for: .seconds(1), scheduler: $1) },
    Operation(clock: "debounce") { $0.debounce(for: .seconds(1), scheduler: $1) },
    Operation(clock: "timeout") { $0.timeout(.seconds(50), scheduler: $1) },
    Operation(clock: "throttle") { $0.throttle(for: .seconds(1), scheduler: $1, latest: true) },
    Operation(clock: "collect(.byTime)") { $0.collect(.byTime($1, .seconds(1))) },
    Operation(clock: "collect(.byTimeOrCount)") {
      $0.collect(.byTimeOrCount($1, .seconds(1), 2))
    },
    Operation("measureInterval") { $0.measureInterval(using: ImmediateScheduler.shared) },
  ]

  private static let buffering = [
    Operation("buffer, keepFull") {
      $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
    },
    Operation("buffer, byRequest") {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { "full" })
    },
  ]
}

/// A coder that encodes and decodes a number as itself.
private struct Same: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int { value as? Int ?? 0 }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T {
    guard let output = input as? T else { throw TestError("no \(type)") }
    return output
  }
}

private struct Nowhere: TextOutputStream {
  func write(_ string: String) {}
}
