import Streams
import TestSupport
import Testing

/// Tests one rule for every operator: if its subscriber asks for everything, so does the operator.
///
/// Behind `delay` or `receive(on:)`, a request for the next value comes later than that value. So
/// an operator that asked for one value after another would lose most of a burst.
struct UnlimitedDemandTests {
  @Test(
    .unless(.dropsBursts), arguments: Operation.all(but: .dropsBursts).filter { !$0.hasALimit },
    Hop.allCases)
  func aBurstBehindASchedulerArrivesWhole(_ operation: Operation, _ hop: Hop) {
    for asking in Asking.allCases { expectTheWholeBurst(operation, hop, asking) }
  }

  private func expectTheWholeBurst(_ operation: Operation, _ hop: Hop, _ asking: Asking) {
    let source = ScriptedPublisher<Int, TestError>()
    let whole = operation.applied(to: source).subscribe()
    for value in 1...9 { source.send(value) }
    source.finish()

    let subject = PassthroughSubject<Int, TestError>()
    let surroundings = Surroundings()
    let upstream = hop.publisher(subject, surroundings).map { Number($0) }
    let run = operation.applied(to: upstream, surroundings).subscribe(asking.script)
    for value in 1...9 { subject.send(value) }
    subject.send(completion: .finished)
    expectEqual(run.text, whole.text, "asking \(asking)")
    expectEqual(run.brokenRules, [], "asking \(asking)")
  }

  enum Hop: CaseIterable, Sendable {
    case delay, receiveOn

    func publisher(
      _ subject: PassthroughSubject<Int, TestError>, _ surroundings: Surroundings
    ) -> AnyPublisher<Int, TestError> {
      switch self {
      case .delay:
        subject.delay(for: .seconds(1), scheduler: surroundings.clock).eraseToAnyPublisher()
      case .receiveOn: subject.receive(on: surroundings.clock).eraseToAnyPublisher()
      }
    }
  }

  private enum Asking: CaseIterable {
    case forEverything, forOneAndThenForEverything

    var script: SubscriberScript {
      var script = SubscriberScript()
      if self == .forOneAndThenForEverything {
        script.onSubscription = { $0.request(.max(1)) }
      }
      return script
    }
  }
}

extension Operation {
  /// Whether the operator asks for a number of values that it's made with.
  fileprivate var hasALimit: Bool {
    ["flatMap(maxPublishers: 1)", "buffer that keeps full"].contains(label)
  }
}
