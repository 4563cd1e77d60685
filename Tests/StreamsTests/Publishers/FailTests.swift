import Streams
import TestSupport
import Testing

@Suite struct FailTests {
  @Test func failsAtOnceWithoutDemand() {
    let history = Fail<Int, TestError>(error: "over").history(demand: .none)
    expectEqual(history.events, [.subscription("Empty"), .failure("over")])
    history.request(1)
    history.cancel()
    expectEqual(history.events, [.subscription("Empty"), .failure("over")])
  }

  @Test func canBeMadeFromTypes() {
    let fail = Fail(outputType: Int.self, failure: TestError("over"))
    expectEqual(fail, Fail<Int, TestError>(error: "over"))
    #expect(fail != Fail<Int, TestError>(error: "other"))
    expectEqual(fail.error, "over")
  }
}
