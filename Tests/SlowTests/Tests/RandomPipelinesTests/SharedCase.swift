import Streams
import TestSupport
import VirtualTime

/// A publisher that several subscribers share, and everything that happens to them in one run.
struct SharedCase: RandomCase {
  /// The values and ends that subjects send.
  var scripts: [Script]

  /// The subject itself, or the pipeline that the subscribers have in common.
  var head: Pipeline

  var hub: Hub

  var subscribers: [SharedSubscriber]

  /// Everything that happens apart from the scripts.
  var deeds: [Deed]

  /// How the head is shared.
  enum Hub: Hashable, Sendable {
    /// The head is a subject, and all subscribe to it.
    case subject
    case share
    /// Through a subject with a current value.
    case currentValue(Int)
    /// Deeds connect and disconnect.
    case connectable
  }
}

/// A subscriber, with operators of its own.
struct SharedSubscriber: Sendable {
  var operators: [PipelineOperator] = []
  /// The demand requested on receiving the subscription; `nil` for unlimited.
  var initial: Int?
  /// The demand returned for each value.
  var perValue = 0
}

/// Something that happens once.
struct Deed: Hashable, Sendable {
  enum Occasion: Hashable, Sendable {
    /// In an action at a time.
    case at(Int)
    /// Within the delivery of a value to a subscriber, counted from 1.
    case inValue(Int, of: Int)
  }

  enum Action: Hashable, Sendable {
    case subscribe(Int)
    case cancel(Int)
    case request(Int, count: Int)
    case connect
    /// Cancels the latest connection.
    case disconnect
    /// Sends to the subject of a script.
    case send(Signal, script: Int)
  }

  var occasion: Occasion
  var action: Action
}

extension SharedCase {
  var isValid: Bool {
    head.isModelled(immediate: true) && head.isModelled(immediate: false)
      // It may be subscribed to more than once.
      && !head.allOperators.contains { $0.kind.isShared }
      && (hub != .subject || (head.operators.isEmpty && head.source.scripted != nil))
      && scripts.allSatisfy { $0.receiver != .future }
      && (deeds.allSatisfy { !$0.isSend } || head.takesNestedSignals)
  }

  func findProblem() -> Problem? {
    let result = run()
    let expected = SharedModel(testCase: self).lines
    if result.lines == expected, result.brokenRules.isEmpty { return nil }
    return Problem(expected: expected, actual: result)
  }

  /// Runs the real publishers on a virtual clock.
  func run() -> RunResult {
    let clock = VirtualTimeScheduler()
    let built = scripts.map { $0.buildSubject(on: clock) }
    let bench = Workbench(clock: clock, subjects: built.map(\.publisher))
    let scene = SharedScene(on: clock)
    let shared = publisher(on: bench, scene)
    for subscriber in subscribers {
      let publisher = Pipeline(source: .empty(completes: true), operators: subscriber.operators)
        .applying(to: shared, on: bench)
      scene.add(
        publisher, demand: subscriber.initial.map { .max($0) } ?? .unlimited,
        perValue: .max(subscriber.perValue))
    }
    for deed in deeds {
      scene.on(deed.occasion) {
        switch deed.action {
        case .subscribe(let index): scene.subscribe(index)
        case .cancel(let index): scene.cancel(index)
        case .request(let index, let count): scene.request(index, .max(count))
        case .connect: scene.connect()
        case .disconnect: scene.disconnect()
        case .send(let signal, let script): built[script].send(signal)
        }
      }
    }
    clock.advance(to: .milliseconds(PipelineCase.horizon))
    let result = RunResult(lines: scene.lines, brokenRules: scene.brokenRules)
    scene.letGo()
    clock.advance(by: .seconds(10))
    return result
  }

  private func publisher(
    on bench: Workbench, _ scene: SharedScene
  ) -> AnyPublisher<Int, TestError> {
    let head = head.build(on: bench)
    switch hub {
    case .subject: return head
    case .share: return head.share().eraseToAnyPublisher()
    case .currentValue(let value):
      return head.multicast(subject: CurrentValueSubject(value)).autoconnect()
        .eraseToAnyPublisher()
    case .connectable:
      let connectable = head.multicast { PassthroughSubject() }
      scene.onConnect { connectable.connect() }
      return connectable.eraseToAnyPublisher()
    }
  }
}

extension Deed {
  var isSend: Bool { if case .send = action { true } else { false } }
}

extension Pipeline {
  /// The operators alone, applied to a publisher.
  func applying(
    to publisher: AnyPublisher<Int, TestError>, on bench: Workbench
  ) -> AnyPublisher<Int, TestError> {
    operators.reduce(publisher) { $1.kind.build($0, $1, bench) }
  }

  /// Whether the models hold for signals that a subject sends from within another delivery.
  var takesNestedSignals: Bool {
    allOperators.allSatisfy { $0.kind.takesNestedSignals }
  }
}

extension Script {
  /// Makes its subject, and a closure that sends to it.
  func buildSubject(
    on clock: VirtualTimeScheduler
  ) -> (publisher: AnyPublisher<Int, TestError>, send: (Signal) -> Void) {
    switch receiver {
    case .currentValueSubject(let value):
      let subject = CurrentValueSubject<Int, TestError>(value)
      return (schedule(subject, on: clock), { subject.send($0) })
    case .passthroughSubject, .future:
      let subject = PassthroughSubject<Int, TestError>()
      return (schedule(subject, on: clock), { subject.send($0) })
    }
  }
}

extension Subject where Output == Int, Failure == TestError {
  /// Sends a value or an end.
  func send(_ signal: Signal) {
    switch signal {
    case .value(let value): send(value)
    case .finished: send(completion: .finished)
    case .failure(let error): send(completion: .failure(error))
    }
  }
}

extension OperatorKind {
  /// Whether its model holds for signals that come from within the delivery of another one.
  fileprivate var takesNestedSignals: Bool {
    // Values that come within a delivery of these come after it.
    !name.hasPrefix("zip") && !name.hasPrefix("buffer")
  }
}
