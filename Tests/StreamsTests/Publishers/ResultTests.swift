import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
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
    #expect(mapped.history().events == [.subscription("Once"), .value("7"), .finished])
    #expect(log.lines == ["map"])
  }

  @Test func aFailurePassesOperatorsOnValues() {
    let mapped = failure.map { [log] in log.append("map \($0)") }
    let tried = failure.tryMap { [log] in log.append("tryMap \($0)") }
    #expect(mapped.history().lines == ["subscription Empty", "failure over"])
    #expect(tried.history().lines == ["subscription Empty", "failure over"])
    #expect(log.lines == [])
  }

  @Test func aThrowBecomesTheFailure() {
    let kept: Result<Int, any Error>.Publisher = success.tryMap { $0 + 1 }
    let thrown: Result<Int, any Error>.Publisher = success.tryMap { throw TestError("\($0)") }
    #expect(kept.history().events == [.subscription("Once"), .value(8), .finished])
    #expect(thrown.history().events == [.subscription("Empty"), .failure(TestError("7"))])
  }

  @Test func errorsAreMappedAndReplaced() {
    #expect(success.mapError { TestError("not \($0)") } == success)
    #expect(failure.mapError { TestError("not \($0)") } == IntPublisher("not over"))
    #expect(success.replaceError(with: 8) == Result<Int, Never>.Publisher(7))
    #expect(failure.replaceError(with: 8) == Result<Int, Never>.Publisher(8))
    #expect(Result<Int, Never>.Publisher(7).setFailureType(to: TestError.self) == success)
  }

  @Test func retryChangesNothing() {
    #expect(success.retry(3) == success)
    #expect(failure.retry(3) == failure)
  }

  @Test(arguments: [Result<Int, TestError>.success(7), .failure("no value")])
  func operatorsTreatAValueAsAWholeStreamAndKeepAFailure(result: Result<Int, TestError>) {
    let publisher = result.publisher
    #expect(publisher.collect().result == result.map { [$0] })
    #expect(publisher.count().result == result.map { _ in 1 })
    #expect(publisher.first() == publisher)
    #expect(publisher.last() == publisher)
    #expect(publisher.removeDuplicates() == publisher)
    #expect(publisher.removeDuplicates { _, _ in fatalError() } == publisher)
    #expect(publisher.reduce(1, +).result == result.map { $0 + 1 })
    #expect(publisher.scan(1, +).result == result.map { $0 + 1 })
    // As in Combine: the failure isn't output, but it's dropped too.
    #expect(publisher.ignoreOutput() == Empty(completeImmediately: true))
  }

  @Test(arguments: [Result<Int, TestError>.success(7), .success(13), .failure("no value")])
  func throwingOperatorsRunAtOnce(result: Result<Int, TestError>) {
    let sum = { (first: Int, second: Int) throws -> Int in
      if second == 13 { throw TestError("thirteen") }
      return first + second
    }
    let expected = result == .success(13) ? .failure("thirteen") : result.map { $0 + 1 }
    let results = [
      result.publisher.tryReduce(1, sum).result, result.publisher.tryScan(1, sum).result,
      result.publisher.tryRemoveDuplicates { try sum($0, $1) == 0 }.result.map { $0 + 1 },
    ]
    for result in results { #expect(result.mapError { $0 as? TestError ?? "other" } == expected) }
  }
}
