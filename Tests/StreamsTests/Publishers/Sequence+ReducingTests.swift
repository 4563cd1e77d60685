import Streams
import TestSupport
import Testing

/// Tests the operators that answer a question about all elements.
struct SequenceReducingTests {
  typealias Answer = Result<Bool, Never>.Publisher

  @Test func elementsAreTestedRightAwayUntilOneDecides() {
    let log = CallLog()
    func isTwo(_ value: Int) -> Bool {
      log.append("\(value)")
      return value == 2
    }
    let contains: Answer = [1, 2, 3].publisher.contains(where: isTwo)
    #expect(log.lines == ["1", "2"])
    let all: Answer = [2, 1, 2].publisher.allSatisfy(isTwo)
    #expect(log.lines == ["1", "2", "2", "1"])
    #expect([contains, all].map(\.result) == [.success(true), .success(false)])
  }

  @Test func theAnswerIsPublishedOnDemand() {
    let history = [1, 2].publisher.contains(2).history(demand: .none)
    #expect(history.events == [.subscription("Once")])
    history.request(1)
    #expect(history.events == [.subscription("Once"), .value(true), .finished])
  }

  @Test func anUndecidedQuestionIsAnsweredAtTheEnd() throws {
    let numbers = [1, 2, 3].publisher
    let answers: [Answer] = [
      numbers.contains(4), numbers.contains { $0 > 3 }, numbers.allSatisfy { $0 < 4 },
    ]
    #expect(answers.map(\.result) == [.success(false), .success(false), .success(true)])
    #expect(try numbers.tryContains { $0 > 3 }.result.get() == false)
    #expect(try numbers.tryAllSatisfy { $0 < 4 }.result.get() == true)
  }

  @Test func aDecisionEndsTheTestsThatCanThrow() throws {
    let numbers = [1, 2, 3].publisher
    let throwsAtThree: (Int) throws -> Bool = { value in
      if value == 3 { throw TestError("three") }
      return value == 2
    }
    #expect(try numbers.tryContains(where: throwsAtThree).result.get() == true)
    #expect(try numbers.tryAllSatisfy(throwsAtThree).result.get() == false)
  }

  @Test func anErrorThrownAtOnceIsTheFailure() {
    let failing: (Int) throws -> Bool = { throw TestError("\($0)") }
    let numbers = [1, 2, 3].publisher
    for publisher in [numbers.tryContains(where: failing), numbers.tryAllSatisfy(failing)] {
      #expect(publisher.history().events == [.subscription("Empty"), .failure(TestError("1"))])
    }
  }

  @Test func theFirstOfEqualExtremesIsKept() {
    let cards = Card.all.publisher
    let least: Card?.Publisher = cards.min { $0.rank < $1.rank }
    let greatest: Card?.Publisher = cards.max { $0.rank < $1.rank }
    #expect(least.output == Card(1, "b"))
    #expect(greatest.output == Card(7, "c"))
    #expect([2, 1, 3].publisher.min() == Int?.Publisher(1))
    #expect([2, 1, 3].publisher.max() == Int?.Publisher(3))
  }

  @Test func anEmptySequenceHasNoExtremes() {
    let nothing = [Int]().publisher
    let extremes: [Int?.Publisher] = [
      nothing.min(), nothing.max(), nothing.min { _, _ in fatalError() },
      nothing.max { _, _ in fatalError() },
    ]
    #expect(extremes == Array(repeating: Int?.Publisher(nil), count: 4))
  }

  @Test func aSequenceWithAnotherFailureTypeIsComparedOnDemand() {
    typealias Numbers = Publishers.Sequence<[Int], TestError>
    let numbers = Numbers(sequence: [2, 1, 3])
    let least: Publishers.Comparison<Numbers> = numbers.min()
    let greatest: Publishers.Comparison<Numbers> = numbers.max { $0 < $1 }
    let found: Result<Bool, TestError>.Publisher = numbers.contains(3)
    #expect(least.history().values == [1])
    #expect(greatest.history().values == [3])
    #expect(found.history().values == [true])
  }

  @Test func anEmptySequenceIsReplacedOnDemand() {
    #expect([Int]().publisher.replaceEmpty(with: 7).history().values == [7])
    #expect([1, 2].publisher.replaceEmpty(with: 7).history().values == [1, 2])
  }

  @Test func replacedElementsStayOptionalUnlessTheContextSaysOtherwise() {
    typealias Optionals = Publishers.Sequence<[Int?], Never>
    let optionals = [1, nil, 3].publisher.replaceNil(with: 0)
    expect(optionals, is: Optionals.self)
    #expect(optionals == Optionals(sequence: [1, 0, 3]))
    let numbers: Publishers.Map<Optionals, Int> = [1, nil, 3].publisher.replaceNil(with: 0)
    #expect(numbers.history().values == [1, 0, 3])
    #expect([1, nil].publisher.replaceNil(with: 0).map { $0 + 1 }.history().values == [2, 1])
  }

  /// Compiles only if the expression has this type without a type hint.
  private func expect<Actual, Expected>(_ value: Actual, is type: Expected.Type) {
    #expect(Actual.self == Expected.self)
  }
}
