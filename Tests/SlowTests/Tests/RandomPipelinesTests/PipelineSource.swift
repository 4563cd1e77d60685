import Streams
import TestSupport
import VirtualTime

/// The first publisher of a pipeline.
enum PipelineSource: Hashable, Sendable {
  case just(Int)
  case sequence([Int])
  case empty(completes: Bool)
  case fail
  case record([Int], fails: Bool)
  case optional(Int?)
  case result(Int?)
  /// A `Deferred` around a sequence.
  case deferred([Int])
  /// A subject or a future that a script feeds, by its index.
  case scripted(Int)

  /// Whether each value waits until it's requested.
  var waitsForDemand: Bool { if case .scripted = self { false } else { true } }

  /// The index of its script, if it has one.
  var scripted: Int? { if case .scripted(let index) = self { index } else { nil } }

  func build(on bench: Workbench) -> AnyPublisher<Int, TestError> {
    switch self {
    case .just(let value):
      Just(value).setFailureType(to: TestError.self).eraseToAnyPublisher()
    case .sequence(let values):
      values.publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()
    case .empty(let completes):
      Empty<Int, TestError>(completeImmediately: completes).eraseToAnyPublisher()
    case .fail: Fail<Int, TestError>(error: "lost").eraseToAnyPublisher()
    case .record(let values, let fails):
      Record<Int, TestError>(output: values, completion: fails ? .failure("lost") : .finished)
        .eraseToAnyPublisher()
    case .optional(let value):
      value.publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()
    case .result(let value):
      (value.map { Result<Int, TestError>.success($0) } ?? .failure("lost")).publisher
        .eraseToAnyPublisher()
    case .deferred(let values):
      Deferred { values.publisher.setFailureType(to: TestError.self) }.eraseToAnyPublisher()
    case .scripted(let index): bench.subjects[index]
    }
  }

  func model(of scripts: [Script]) -> StreamModel {
    switch self {
    case .just(let value): StreamModel { Self.emit([value], $0) }
    case .sequence(let values), .deferred(let values): StreamModel { Self.emit(values, $0) }
    case .empty(let completes):
      StreamModel { start in
        let end = TimedSignal(start.subscribed.step(1), .finished)
        return StreamRun(start.handOver, completes ? [end] : [])
      }
    case .record(let values, let fails):
      StreamModel { Self.emit(values, $0, end: fails ? .failure("lost") : .finished) }
    case .optional(let value): StreamModel { Self.emit(value.map { [$0] } ?? [], $0) }
    case .result(let value?): StreamModel { Self.emit([value], $0) }
    case .fail, .result(nil):
      StreamModel { StreamRun($0.handOver, [TimedSignal($0.subscribed.step(1), .failure("lost"))]) }
    case .scripted(let index): StreamModel { scripts[index].model($0, index: index) }
    }
  }

  /// The values one after another, once they're requested. Without values, the end needs no demand.
  private static func emit(
    _ values: [Int], _ start: Start, end: Signal = .finished
  ) -> StreamRun {
    let moment = values.isEmpty ? start.subscribed : start.requested
    let signals = values.map { Signal.value($0) } + [end]
    return StreamRun(
      start.handOver,
      signals.enumerated().map { TimedSignal(moment.step(1 + $0), $1) })
  }

  var code: String {
    switch self {
    case .just(let value): "Just(\(value)).setFailureType(to: TestError.self)"
    case .sequence(let values):
      "\(values.isEmpty ? "[Int]()" : "\(values)").publisher.setFailureType(to: TestError.self)"
    case .empty(true): "Empty<Int, TestError>()"
    case .empty(false): "Empty<Int, TestError>(completeImmediately: false)"
    case .fail: "Fail<Int, TestError>(error: \"lost\")"
    case .record(let values, let fails):
      "Record<Int, TestError>(output: \(values), completion: "
        + (fails ? ".failure(\"lost\"))" : ".finished)")
    case .optional(let value):
      "Int?(\(value.map { "\($0)" } ?? "nil")).publisher.setFailureType(to: TestError.self)"
    case .result(let value?): "Result<Int, TestError>.success(\(value)).publisher"
    case .result(nil): "Result<Int, TestError>.failure(\"lost\").publisher"
    case .deferred(let values):
      "Deferred { \(values.isEmpty ? "[Int]()" : "\(values)").publisher"
        + ".setFailureType(to: TestError.self) }"
    case .scripted(let index): "subject\(index)"
    }
  }
}
