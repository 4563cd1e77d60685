import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct CollectByCountTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func publishesArraysOfSomeValuesEach() {
    let history = source.collect(2).history(demand: .max(2), perValue: .max(3))
    expectEqual((1...5).map { source.send($0) }, [.none, .max(6), .none, .max(6), .none])
    history.request(4)
    source.finish()
    source.finish()
    expectEqual(history.text, "CollectByCount: [1, 2] [3, 4] [5] |")
    expectEqual(source.calls, [.request(.max(4)), .request(.max(8))])
  }

  @Test func requestsUnlimitedIfDownstreamDoesOrTheProductOverflows() {
    let history = source.collect(2).history(perValue: .unlimited)
    source.send(1)
    expectEqual(source.send(2), .unlimited)
    history.request(.max(.max))
    expectEqual(source.calls, [.request(.unlimited), .request(.unlimited)])
  }

  @Test(arguments: [1, 3]) func theLastArrayIsPublishedWithoutDemand(count: Int) {
    let history = source.collect(count).history(demand: .none)
    source.send(1)
    source.finish()
    expectEqual(history.text, "CollectByCount: [1] |")
  }

  @Test func aCancellationInsideTheLastArrayPreventsTheCompletion() {
    let history = source.collect(2).history { history, _ in
      history.request(1)
      history.cancel()
    }
    source.send(1)
    source.finish()
    expectEqual(history.text, "CollectByCount: [1]")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aCountOfZeroAndARequestForZeroValuesTrap() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().collect(0) }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher<Int, TestError>().collect(2).history(demand: .none).request(.none)
    }
  }
}
