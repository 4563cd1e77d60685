import Streams
import TestSupport
import Testing

/// Tests the operators that answer a question about the value. A failure stays a failure.
struct ResultReducingTests {
  typealias Source = Result<Int, TestError>.Publisher
  typealias Answer = Result<Bool, TestError>.Publisher

  @Test(arguments: [7, 3]) func aPredicateIsAskedOnceAndRightAway(value: Int) throws {
    let log = CallLog()
    func isLarge(_ value: Int) -> Bool {
      log.append("\(value)")
      return value > 5
    }
    let answers: [Answer] = [
      Source(value).contains(where: isLarge), Source(value).allSatisfy(isLarge),
    ]
    let results: [Result<Bool, any Error>.Publisher] = [
      Source(value).tryContains(where: isLarge), Source(value).tryAllSatisfy(isLarge),
    ]
    #expect(log.lines == Array(repeating: "\(value)", count: 4))
    #expect(answers == [Answer(value > 5), Answer(value > 5)])
    #expect(try results.map { try $0.result.get() } == [value > 5, value > 5])
  }

  @Test func theValueIsComparedWithTheOneToLookFor() {
    #expect([Source(7).contains(7), Source(7).contains(8)] == [Answer(true), Answer(false)])
  }

  @Test func aSingleValueIsTheLeastAndTheGreatestWithoutAComparison() {
    let extremes: [Source] = [
      Source(7).min(), Source(7).max(), Source(7).min { _, _ in fatalError() },
      Source(7).max { _, _ in fatalError() },
    ]
    #expect(extremes == Array(repeating: Source(7), count: 4))
  }

  @Test func aComparisonThatCanThrowIsMadeOnceWithTheValueTwice() throws {
    let log = CallLog()
    func compare(_ first: Int, _ second: Int) throws -> Bool {
      log.append("\(first) \(second)")
      if first == 13 { throw TestError("thirteen") }
      return true
    }
    let kept = [Source(7).tryMin(by: compare), Source(7).tryMax(by: compare)]
    #expect(try kept.map { try $0.result.get() } == [7, 7])
    #expect(log.lines == ["7 7", "7 7"])
    for thrown in [Source(13).tryMin(by: compare), Source(13).tryMax(by: compare)] {
      #expect(throws: TestError("thirteen")) { try thrown.result.get() }
    }
  }

  @Test func anErrorThrownAtOnceIsTheFailure() {
    let failing: (Int) throws -> Bool = { throw TestError("\($0)") }
    for publisher in [Source(7).tryContains(where: failing), Source(7).tryAllSatisfy(failing)] {
      #expect(publisher.history().events == [.subscription("Empty"), .failure(TestError("7"))])
    }
  }

  @Test func aFailureStaysAFailureAndNoClosureRuns() {
    let failure = Source(TestError("no more"))
    #expect(failure.contains(7) == Answer(TestError("no more")))
    #expect(failure.contains { _ in fatalError() } == Answer(TestError("no more")))
    #expect(failure.allSatisfy { _ in fatalError() } == Answer(TestError("no more")))
    #expect([failure.min(), failure.max()] == [failure, failure])
    #expect(failure.replaceEmpty(with: 7) == failure)
    let answers = [
      failure.tryContains { _ in fatalError() }, failure.tryAllSatisfy { _ in fatalError() },
    ]
    for answer in answers { #expect(throws: TestError("no more")) { try answer.result.get() } }
    let extremes = [
      failure.tryMin { _, _ in fatalError() }, failure.tryMax { _, _ in fatalError() },
    ]
    for extreme in extremes { #expect(throws: TestError("no more")) { try extreme.result.get() } }
  }

  @Test func aValueIsNeverEmpty() {
    #expect(Source(7).replaceEmpty(with: 8) == Source(7))
  }
}
