import Dispatch
import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that run a throwing closure for each value.
struct ThrowingStageTests {
  @Test(arguments: ThrowingOperator.all)
  func passesValuesDemandAndTheEndOn(_ operation: ThrowingOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(source).history(demand: .max(3), perValue: .max(2))
    expectEqual(source.send(1), .max(2))
    history.request(4)
    source.finish()
    source.finish()
    expectEqual(source.send(2), .none)
    history.request(5)
    history.cancel()
    expectEqual(history.events, [.subscription(operation.name), .value(1), .finished])
    expectEqual(source.calls, [.request(.max(3)), .request(.max(4))])
  }

  @Test(arguments: ThrowingOperator.all)
  func aThrowCancelsUpstreamBeforeItFails(_ operation: ThrowingOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, any Error>(perValue: .max(2), log: log)
    operation.apply(source) { if $0 == 13 { throw TestError("thirteen") } }.subscribe(history)
    source.send(1)
    expectEqual(source.send(13), .none)
    expectEqual(source.send(2), .none)
    source.fail("late")
    history.request(1)
    history.cancel()
    expectEqual(
      log.lines,
      [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request unlimited", "downstream: value 1", "upstream: cancel",
        "downstream: failure thirteen",
      ])
  }

  @Test(arguments: ThrowingOperator.all)
  func aThrowFromAClosureThatHasCancelledIsIgnored(_ operation: ThrowingOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, any Error>()
    operation.apply(source) { _ in
      history.cancel()
      throw TestError("unheard")
    }.subscribe(history)
    expectEqual(source.send(1), .none)
    expectEqual(history.events, [.subscription(operation.name)])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
    history.removeAll()
  }

  @Test(arguments: ThrowingOperator.all)
  func aThrowReleasesUpstream(_ operation: ThrowingOperator) {
    weak var upstream: ScriptedSubscription?
    let history = History<Int, any Error>()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      operation.apply(source) { if $0 == 13 { throw TestError("thirteen") } }.subscribe(history)
      upstream = source.subscriptions.last
      source.send(13)
    }
    #expect(upstream == nil)
    withExtendedLifetime(history) {}
  }
}

/// An operator with a closure that passes a value through, or throws.
struct ThrowingOperator: CustomTestStringConvertible, Sendable {
  typealias Effect = (Int) throws -> Void

  let name: String
  private let make:
    @Sendable (ScriptedPublisher<Int, TestError>, @escaping Effect) -> AnyPublisher<Int, any Error>

  func apply(
    _ source: ScriptedPublisher<Int, TestError>, _ effect: @escaping Effect = { _ in }
  ) -> AnyPublisher<Int, any Error> {
    make(source, effect)
  }

  var testDescription: String { name }

  static let all = [
    ThrowingOperator(name: "TryMap") { source, effect in
      source.tryMap { value in
        try effect(value)
        return value
      }.eraseToAnyPublisher()
    },
    ThrowingOperator(name: "TryFilter") { source, effect in
      source.tryFilter { value in
        try effect(value)
        return true
      }.eraseToAnyPublisher()
    },
    ThrowingOperator(name: "TryCompactMap") { source, effect in
      source.tryCompactMap { value in
        try effect(value)
        return value
      }.eraseToAnyPublisher()
    },
    ThrowingOperator(name: "TryScan") { source, effect in
      source.tryScan(0) { _, value in
        try effect(value)
        return value
      }.eraseToAnyPublisher()
    },
    ThrowingOperator(name: "TryPrefixWhile") { source, effect in
      source.tryPrefix { value in
        try effect(value)
        return true
      }.eraseToAnyPublisher()
    },
    ThrowingOperator(name: "Decode") { source, effect in
      source.decode(type: Int.self, decoder: PassingCoder(effect)).eraseToAnyPublisher()
    },
    ThrowingOperator(name: "Encode") { source, effect in
      source.encode(encoder: PassingCoder(effect)).eraseToAnyPublisher()
    },
  ]
}

/// A coder that encodes and decodes numbers as themselves.
struct PassingCoder: TopLevelDecoder, TopLevelEncoder {
  let effect: (Int) throws -> Void

  init(_ effect: @escaping (Int) throws -> Void = { _ in }) { self.effect = effect }

  func decode<T>(_ type: T.Type, from input: Int) throws -> T where T: Decodable {
    try effect(input)
    guard let value = input as? T else { throw TestError("not a number") }
    return value
  }

  func encode<T>(_ value: T) throws -> Int where T: Encodable {
    guard let number = value as? Int else { throw TestError("not a number") }
    try effect(number)
    return number
  }
}
