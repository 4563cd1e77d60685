import Dispatch
import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that drop values: `filter`, `compactMap`, `removeDuplicates`
/// and their throwing forms. Each lets odd numbers pass.
struct SieveStageTests {
  @Test(arguments: SieveOperator.all)
  func requestsOneMoreForEachDroppedValue(_ operation: SieveOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(source).history(demand: .max(1), perValue: .max(4))
    expectEqual(source.send(1), .max(4))
    expectEqual(source.send(2), .max(1))
    history.request(3)
    expectEqual(source.calls, [.request(.max(1)), .request(.max(3))])
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher<Int, TestError>()
      source.filter { _ in true }.history(demand: .none).request(.none)
    }
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher<Int, TestError>()
      source.tryFilter { _ in true }.history(demand: .none).request(.none)
    }
  }
}

/// An operator that lets odd numbers pass.
struct SieveOperator: CustomTestStringConvertible, Sendable {
  /// The name of the subscription. `filter` and `compactMap` show upstream's.
  let name: String
  var label: String?
  let apply: @Sendable (ScriptedPublisher<Int, TestError>) -> AnyPublisher<Int, any Error>

  var testDescription: String { label ?? name }

  static let all = [
    SieveOperator(name: "upstream", label: "Filter") { source in
      source.filter { $0 % 2 == 1 }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    SieveOperator(name: "TryFilter") { source in
      source.tryFilter { $0 % 2 == 1 }.eraseToAnyPublisher()
    },
    SieveOperator(name: "upstream", label: "CompactMap") { source in
      source.compactMap { $0 % 2 == 1 ? $0 : nil }.mapError { $0 as any Error }
        .eraseToAnyPublisher()
    },
    SieveOperator(name: "TryCompactMap") { source in
      source.tryCompactMap { $0 % 2 == 1 ? $0 : nil }.eraseToAnyPublisher()
    },
    // These let every first value pass. In these tests it's odd.
    SieveOperator(name: "RemoveDuplicates") { source in
      source.removeDuplicates { $1 % 2 == 0 }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    SieveOperator(name: "TryRemoveDuplicates") { source in
      source.tryRemoveDuplicates { $1 % 2 == 0 }.eraseToAnyPublisher()
    },
  ]
}
