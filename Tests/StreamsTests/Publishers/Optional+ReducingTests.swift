import Streams
import TestSupport
import Testing

/// Tests the operators that answer a question about the value, if there is one.
struct OptionalReducingTests {
  @Test(arguments: [7, 3, nil]) func aPredicateIsAskedRightAwayIfThereIsAValue(value: Int?) {
    let log = CallLog()
    func isLarge(_ value: Int) -> Bool {
      log.append("\(value)")
      return value > 5
    }
    let answers: [Bool?.Publisher] = [
      value.publisher.contains(where: isLarge), value.publisher.allSatisfy(isLarge),
    ]
    #expect(log.lines == (value.map { ["\($0)", "\($0)"] } ?? []))
    #expect(answers.map(\.output) == Array(repeating: value.map { $0 > 5 }, count: 2))
  }

  @Test(arguments: [7, nil])
  func theValueIsTheLeastAndTheGreatestWithoutAComparison(value: Int?) {
    let extremes: [Int?.Publisher] = [
      value.publisher.min(), value.publisher.max(),
      value.publisher.min { _, _ in fatalError() }, value.publisher.max { _, _ in fatalError() },
    ]
    #expect(extremes == Array(repeating: value.publisher, count: 4))
  }

  @Test func theValueIsComparedWithTheOneToLookFor() {
    let found: [Bool?.Publisher] = [
      Int?.Publisher(7).contains(7), Int?.Publisher(7).contains(8), Int?.Publisher(nil).contains(7),
    ]
    #expect(found.map(\.output) == [true, false, nil])
  }

  @Test func anEmptyStreamBecomesTheReplacement() {
    let replaced: [Just<Int>] = [
      Int?.Publisher(7).replaceEmpty(with: 8), Int?.Publisher(nil).replaceEmpty(with: 8),
    ]
    #expect(replaced == [Just(7), Just(8)])
  }

  /// Combine has no specialisation for these, so an empty stream has an answer.
  @Test func operatorsWithoutASpecialisationWorkOnDemand() {
    let publisher = Int?.Publisher(nil)
    let contains: Publishers.TryContainsWhere<Int?.Publisher> = publisher.tryContains { $0 > 5 }
    let all: Publishers.TryAllSatisfy<Int?.Publisher> = publisher.tryAllSatisfy { $0 > 5 }
    #expect(contains.history().values == [false])
    #expect(all.history().values == [true])
  }
}
