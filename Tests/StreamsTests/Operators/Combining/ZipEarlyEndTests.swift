import Streams
import TestSupport
import Testing

/// Tests how `zip` ends if publishers end before downstream can request, or inside a request.
/// Compares all combinations with a naive model.
struct ZipEarlyEndTests {
  @Test func twoPublishersEndAsInTheModel() {
    for a in EagerPublisher.Script.all {
      for b in EagerPublisher.Script.all { check([a, b]) { $0[0].zip($0[1]).history().lines } }
    }
  }

  @Test func threePublishersEndAsInTheModel() {
    for a in EagerPublisher.Script.all {
      for b in EagerPublisher.Script.all {
        for c in EagerPublisher.Script.all {
          check([a, b, c]) { $0[0].zip($0[1], $0[2]).history().lines }
        }
      }
    }
  }

  private func check(
    _ scripts: [EagerPublisher.Script], zip: ([EagerPublisher]) -> [String]
  ) {
    let model = Model(scripts)
    let sides = scripts.enumerated().map { EagerPublisher($1, index: $0) }
    let lines = zip(sides)
    expectEqual(lines, model.lines, "\(scripts)")
    expectEqual(sides.map(\.calls), model.calls, "\(scripts)")
  }

  /// A model of `zip` that cares only about the order of events.
  private struct Model {
    var lines = ["subscription Zip"]
    /// The calls that each publisher gets.
    var calls: [[String]]

    private var queues: [[Int]]
    private var hasFinished: [Bool]
    private var isOver = false

    init(_ scripts: [EagerPublisher.Script]) {
      let none = scripts.map { _ in false }
      calls = scripts.map { _ in [] }
      queues = scripts.map { _ in [] }
      hasFinished = none
      // First `zip` subscribes to all publishers. Completions wait for that, and a failure comes
      // first.
      let failed = scripts.firstIndex { $0.early.contains(.fail) }
      for (index, script) in scripts.enumerated() { note(script.early, of: index) }
      if let failed {
        lines.append("failure \(failed)")
        isOver = true
        hasFinished = scripts.map { $0.early.last == .finish || $0.early.last == .fail }
      } else {
        settle()
      }
      // Then downstream's request goes to one publisher after another, until the stream ends.
      for (index, script) in scripts.enumerated() where !isOver && !hasFinished[index] {
        calls[index].append("request unlimited")
        for step in script.asked where !isOver {
          if step == .fail {
            lines.append("failure \(index)")
            isOver = true
            hasFinished[index] = true
          } else {
            note([step], of: index)
            settle()
          }
        }
      }
      if isOver {
        for index in scripts.indices where !hasFinished[index] { calls[index].append("cancel") }
      }
    }

    private mutating func note(_ steps: [EagerPublisher.Step], of index: Int) {
      for step in steps {
        switch step {
        case .value: queues[index].append(index)
        case .finish, .fail: hasFinished[index] = true
        }
      }
    }

    private mutating func settle() {
      while !isOver {
        if zip(hasFinished, queues).contains(where: { $0 && $1.isEmpty }) {
          lines.append("finished")
          isOver = true
        } else if queues.allSatisfy({ !$0.isEmpty }) {
          lines.append("value (\(queues.map { "\($0[0])" }.joined(separator: ", ")))")
          for index in queues.indices { queues[index].removeFirst() }
        } else {
          return
        }
      }
    }
  }
}

/// A publisher that sends some signals right after its subscription, and some inside a request.
final class EagerPublisher: Publisher, Subscription {
  typealias Output = Int
  typealias Failure = TestError

  enum Step { case value, finish, fail }

  struct Script: CustomStringConvertible {
    var early: [Step] = []
    var asked: [Step] = []

    var description: String { "early \(early) asked \(asked)" }

    static let all = [
      Script(), Script(early: [.finish]), Script(early: [.fail]), Script(early: [.value]),
      Script(early: [.value, .finish]), Script(asked: [.finish]), Script(asked: [.fail]),
      Script(asked: [.value, .finish]), Script(asked: [.value, .value, .fail]),
    ]
  }

  private let script: Script
  private let index: Int
  private var send: ((Step) -> Void)?
  private(set) var calls: [String] = []

  init(_ script: Script, index: Int) {
    self.script = script
    self.index = index
  }

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == TestError {
    let index = index
    send = { step in
      switch step {
      case .value: _ = subscriber.receive(index)
      case .finish: subscriber.receive(completion: .finished)
      case .fail: subscriber.receive(completion: .failure(TestError("\(index)")))
      }
    }
    subscriber.receive(subscription: self)
    for step in script.early { send?(step) }
  }

  func request(_ demand: Subscribers.Demand) {
    calls.append("request \(demand)")
    for step in script.asked { send?(step) }
  }

  func cancel() {
    calls.append("cancel")
    send = nil
  }
}
