import Streams
import TestSupport
import Testing

/// Tests the operators that know all elements of a sequence.
struct SequenceOperatorTests {
  static let samples = [[1, 2, 3, 4], [7, 7, 2, 7], [9], []]

  @Test(arguments: samples) func operatorsThatKeepASequence(elements: [Int]) {
    let publisher = elements.publisher
    let plain = publisher.eraseToAnyPublisher()
    expectSequence(publisher.map { "\($0)" }, plain.map { "\($0)" })
    expectSequence(publisher.compactMap(tenfoldIfLarge), plain.compactMap(tenfoldIfLarge))
    expectSequence(publisher.filter(isLarge), plain.filter(isLarge))
    expectSequence(publisher.scan(1, +), plain.scan(1, +))
    expectSequence(publisher.removeDuplicates(), plain.removeDuplicates())
    expectSequence(publisher.prefix { $0 < 3 }, plain.prefix { $0 < 3 })
    expectSequence(publisher.drop { $0 < 3 }, plain.drop { $0 < 3 })
    expectSequence(publisher.dropFirst(), plain.dropFirst())
    for count in [0, 2, 9] {
      expectSequence(publisher.prefix(count), plain.prefix(count))
      expectSequence(publisher.dropFirst(count), plain.dropFirst(count))
    }
    expectSequence(publisher.append(5, 6), plain.append(5, 6))
    expectSequence(publisher.append(5...6), plain.append(5...6))
    expectSequence(publisher.append([5, 6].publisher), plain.append(5, 6))
    expectSequence(publisher.append(), plain)
    expectSequence(publisher.prepend(5, 6), plain.prepend(5, 6))
    expectSequence(publisher.prepend(5...6), plain.prepend(5...6))
    expectSequence(publisher.prepend([5, 6].publisher), plain.prepend(5, 6))
    expectSequence(publisher.prepend(), plain)
    expectSequence(
      publisher.setFailureType(to: TestError.self), plain.setFailureType(to: TestError.self))
    expectEqual(publisher.ignoreOutput(), Empty())
    // Combine has no special form of these.
    let retried: Publishers.Retry = publisher.retry(3)
    let replaced: Publishers.ReplaceEmpty = publisher.replaceEmpty(with: 8)
    let joined: Publishers.Concatenate = publisher.append(Just(3)).prepend(Just(0))
    expectEqual(retried.history().values, elements)
    expectEqual(replaced.history().values, elements == [] ? [8] : elements)
    expectEqual(joined.history().values, [0] + elements + [3])
  }

  @Test(arguments: samples) func operatorsThatFindAnElement(elements: [Int]) {
    let publisher = elements.publisher
    let plain = publisher.eraseToAnyPublisher()
    expectOptional(publisher.first(), plain.first())
    expectOptional(publisher.last(), plain.last())
    expectOptional(publisher.first(where: isLarge), plain.first(where: isLarge))
    expectOptional(publisher.last { $0 < 4 }, plain.last { $0 < 4 })
    expectOptional(publisher.min(), plain.min())
    expectOptional(publisher.max(), plain.max())
    for index in [0, 1, 3, 4] {
      expectOptional(publisher.output(at: index), plain.output(at: index))
    }
    expectOptional(publisher.output(at: -1), Empty())
    if elements.count > 3 { expectSequence(publisher.output(in: 1..<3), plain.output(in: 1..<3)) }
  }

  @Test(arguments: samples) func operatorsThatHaveOneResult(elements: [Int]) {
    let publisher = elements.publisher
    let plain = publisher.eraseToAnyPublisher()
    expectResult(publisher.collect(), plain.collect())
    expectResult(publisher.reduce(10, +), plain.reduce(10, +))
    expectResult(publisher.tryReduce(10, sum), plain.tryReduce(10, sum))
    expectResult(publisher.contains(4), plain.contains(4))
    expectResult(publisher.contains(where: isLarge), plain.contains(where: isLarge))
    expectResult(publisher.allSatisfy(isLarge), plain.allSatisfy(isLarge))
    expectResult(publisher.tryContains(where: isSeventy), plain.tryContains(where: isSeventy))
    expectResult(publisher.tryAllSatisfy(isSeventy), plain.tryAllSatisfy(isSeventy))
    expectJust(publisher.count(), plain.count())
    let typed = publisher.setFailureType(to: TestError.self)
    expectResult(typed.count(), plain.setFailureType(to: TestError.self).count())
    expectResult(Set(elements).publisher.count(), Just(Set(elements).count))
  }

  @Test func elementsAreTestedRightAwayUntilOneDecides() {
    let log = CallLog()
    func isTwo(_ value: Int) -> Bool {
      log.append("\(value)")
      return value == 2
    }
    let answers: [Result<Bool, Never>.Publisher] = [
      [1, 2, 3].publisher.contains(where: isTwo), [2, 1, 2].publisher.allSatisfy(isTwo),
    ]
    let rest = [2, 9, 3].publisher.drop(while: isTwo)
    let mapped: Publishers.Sequence<[Bool], Never> = (2...3).publisher.map(isTwo)
    let lines = ["1", "2", "2", "1", "2", "9", "2", "3"]
    expectEqual(log.lines, lines)
    expectEqual(answers.map { $0.history().values }, [[true], [false]])
    expectEqual(rest.history().values, [9, 3])
    expectEqual(mapped.history().values, [true, false])
    expectEqual(log.lines, lines)
  }

  @Test func theFirstOfEqualExtremesIsKept() {
    let cards = Card.all.publisher
    let plain = cards.eraseToAnyPublisher()
    expectOptional(cards.min { $0.rank < $1.rank }, plain.min { $0.rank < $1.rank })
    expectOptional(cards.max { $0.rank < $1.rank }, plain.max { $0.rank < $1.rank })
    let one = [7].publisher
    expectOptional(one.min(by: neverCalled), one)
    expectOptional(one.max(by: neverCalled), one)
  }

  @Test func aSequenceWithAnotherFailureTypeIsComparedOnDemand() {
    typealias Numbers = Publishers.Sequence<[Int], TestError>
    let numbers = Numbers(sequence: [2, 1, 3])
    let least: Publishers.Comparison<Numbers> = numbers.min()
    let greatest: Publishers.Comparison<Numbers> = numbers.max { $0 < $1 }
    let found: Result<Bool, TestError>.Publisher = numbers.contains(3)
    expectEqual([least.history().values, greatest.history().values], [[1], [3]])
    expectEqual(found.history().values, [true])
  }

  @Test func replacedElementsStayOptionalUnlessTheContextSaysOtherwise() {
    typealias Optionals = Publishers.Sequence<[Int?], Never>
    let optionals = [1, nil, 3].publisher.replaceNil(with: 0)
    expect(optionals, is: Optionals.self)
    expectEqual(optionals, Optionals(sequence: [1, 0, 3]))
    let numbers: Publishers.Map<Optionals, Int> = [1, nil, 3].publisher.replaceNil(with: 0)
    expectEqual(numbers.history().values, [1, 0, 3])
    expectEqual([1, nil].publisher.replaceNil(with: 0).map { $0 + 1 }.history().values, [2, 1])
  }

  /// Compiles only if the expression has this type without a type hint.
  private func expect<Actual, Expected>(_ value: Actual, is type: Expected.Type) {
    #expect(Actual.self == Expected.self)
  }

  @Test func textIsASequenceToo() {
    let text = "abc"
    let afterwards = text.index(after: text.startIndex)..<text.endIndex
    expectOptional(text.publisher.output(at: text.startIndex), Just("a"))
    expectSequence(text.publisher.output(in: afterwards), "bc".publisher)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.prefix(-1) }
  }
}
