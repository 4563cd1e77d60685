import Streams
import TestSupport
import Testing

/// What is its own; how it delivers a value is in `SingleValueSourceTests`.
@Suite struct ResultTests {
  typealias IntResult = Result<Int, TestError>
  typealias IntPublisher = IntResult.Publisher

  let log = CallLog()
  let success = IntPublisher(7)
  let failure = IntPublisher("over")

  @Test func publishesAResult() {
    #expect(IntResult.success(7).publisher == success)
    #expect(IntResult.failure("over").publisher == failure)
    #expect(IntPublisher(.success(7)) == success)
    #expect(success != failure)
    #expect(failure != IntPublisher("other"))
    #expect(failure.result == .failure("over"))
  }

  @Test func failsAtOnceWithoutDemand() {
    let history = failure.history(demand: .none)
    #expect(history.events == [.subscription("Empty"), .failure("over")])
  }

  @Test func anOperatorWorksAtOnce() {
    let mapped: Result<String, TestError>.Publisher = success.map { [log] value in
      log.append("map")
      return "\(value)"
    }
    #expect(log.lines == ["map"])
    #expect(mapped.history().events == [.subscription("Result"), .value("7"), .finished])
    #expect(log.lines == ["map"])
  }

  @Test func aFailurePassesWhatWorksWithValues() {
    let mapped = failure.map { [log] in log.append("map \($0)") }
    let tried = failure.tryMap { [log] in log.append("tryMap \($0)") }
    #expect(mapped.history().lines == ["subscription Empty", "failure over"])
    #expect(tried.history().lines == ["subscription Empty", "failure over"])
    #expect(log.lines == [])
  }

  @Test func aThrowBecomesTheFailure() {
    let kept: Result<Int, any Error>.Publisher = success.tryMap { $0 + 1 }
    let thrown: Result<Int, any Error>.Publisher = success.tryMap { throw TestError("\($0)") }
    #expect(kept.history().events == [.subscription("Result"), .value(8), .finished])
    #expect(thrown.history().events == [.subscription("Empty"), .failure(TestError("7"))])
  }

  @Test func errorsAreMappedAndReplaced() {
    #expect(success.mapError { TestError("not \($0)") } == success)
    #expect(failure.mapError { TestError("not \($0)") } == IntPublisher("not over"))
    #expect(success.replaceError(with: 8) == Result<Int, Never>.Publisher(7))
    #expect(failure.replaceError(with: 8) == Result<Int, Never>.Publisher(8))
    #expect(Result<Int, Never>.Publisher(7).setFailureType(to: TestError.self) == success)
  }

  @Test func tryingAgainChangesNothing() {
    #expect(success.retry(3) == success)
    #expect(failure.retry(3) == failure)
  }
}
