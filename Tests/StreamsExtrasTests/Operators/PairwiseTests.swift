import Streams
import StreamsExtras
import TestSupport
import Testing

/// What all operators have in common is tested in `OperatorContract`.
@Suite struct PairwiseTests {
  @Test func publishesEachValueWithTheOneBefore() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.pairwise().map { "\($0.previous) \($0.current)" }.history()
    for value in 1...3 { source.send(value) }
    source.finish()
    expectEqual(history.values, ["1 2", "2 3"])
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func theFirstValueAsksForOneMore() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.pairwise().map(\.current).history(demand: .max(1))
    expectEqual(source.send(1), .max(1))
    expectEqual(source.send(2), .none)
    expectEqual(history.values, [2])
  }

  @Test func aValueThatIsNilCounts() {
    var pairs: [[Int?]] = []
    _ = [1, nil, 3].publisher.pairwise().sink { pairs.append([$0.previous, $0.current]) }
    expectEqual(pairs, [[1, nil], [nil, 3]])
  }

  @Test func twoSubscribersShareNothing() {
    let pairs = [1, 2].publisher.pairwise().map(\.previous)
    expectEqual(pairs.history().values, [1])
    expectEqual(pairs.history().values, [1])
  }
}
