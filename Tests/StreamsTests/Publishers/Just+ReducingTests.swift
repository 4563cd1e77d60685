import Streams
import TestSupport
import Testing

/// Tests the operators that answer a question about the only value.
struct JustReducingTests {
  @Test(arguments: [7, 3]) func aPredicateIsAskedOnceAndRightAway(value: Int) throws {
    let log = CallLog()
    func isLarge(_ value: Int) -> Bool {
      log.append("\(value)")
      return value > 5
    }
    let just: [Just<Bool>] = [
      Just(value).contains(where: isLarge), Just(value).allSatisfy(isLarge),
    ]
    let results: [Result<Bool, any Error>.Publisher] = [
      Just(value).tryContains(where: isLarge), Just(value).tryAllSatisfy(isLarge),
    ]
    #expect(log.lines == Array(repeating: "\(value)", count: 4))
    #expect(just == [Just(value > 5), Just(value > 5)])
    #expect(try results.map { try $0.result.get() } == [value > 5, value > 5])
  }

  @Test func anErrorThrownAtOnceIsTheFailure() {
    let failing: (Int) throws -> Bool = { throw TestError("\($0)") }
    let results: [Result<Bool, any Error>.Publisher] = [
      Just(7).tryContains(where: failing), Just(7).tryAllSatisfy(failing),
    ]
    for publisher in results {
      #expect(publisher.history().events == [.subscription("Empty"), .failure(TestError("7"))])
    }
  }

  @Test func aSingleValueIsTheLeastAndTheGreatestWithoutAComparison() {
    let extremes: [Just<Int>] = [
      Just(7).min(), Just(7).max(), Just(7).min { _, _ in fatalError() },
      Just(7).max { _, _ in fatalError() },
    ]
    #expect(extremes == Array(repeating: Just(7), count: 4))
  }

  @Test func theValueIsComparedWithTheOneToLookFor() {
    let found: [Just<Bool>] = [Just(7).contains(7), Just(7).contains(8)]
    #expect(found == [Just(true), Just(false)])
  }

  @Test func aValueIsNeverEmpty() {
    let same: Just<Int> = Just(7).replaceEmpty(with: 8)
    #expect(same == Just(7))
  }

  /// Combine has no specialisation for these.
  @Test func operatorsWithoutASpecialisationWorkOnDemand() {
    let least: Publishers.TryComparison<Just<Int>> = Just(7).tryMin { _, _ in true }
    let greatest: Publishers.TryComparison<Just<Int>> = Just(7).tryMax { _, _ in true }
    let number: Publishers.Map<Just<Int?>, Int> = Just(nil).replaceNil(with: 8)
    #expect(least.history().values == [7])
    #expect(greatest.history().values == [7])
    #expect(number.history().values == [8])
  }
}
