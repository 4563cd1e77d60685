import Streams
import TestSupport
import Testing

/// Tests the operators that drop elements of a known sequence, or join it with others.
struct SequenceCombiningTests {
  let log = CallLog()

  @Test func droppingKeepsTheRest() {
    let numbers = (1...5).publisher
    let rest: Publishers.Sequence<DropFirstSequence<ClosedRange<Int>>, Never> =
      numbers.dropFirst(2)
    #expect(rest.history().values == [3, 4, 5])
    #expect(numbers.dropFirst().history().values == [2, 3, 4, 5])
    #expect(numbers.dropFirst(9).history().lines == ["subscription Empty", "finished"])
  }

  @Test func aPredicateRunsAtOnce() {
    let rest: Publishers.Sequence<DropWhileSequence<[Int]>, Never> = [1, 2, 9, 3].publisher
      .drop { [log] value in
        log.append("\(value)")
        return value < 5
      }
    #expect(log.lines == ["1", "2", "9"])
    #expect(rest.history().values == [9, 3])
    #expect(log.lines == ["1", "2", "9"])
  }

  @Test func joiningKeepsTheTypeAndTheOrder() {
    let numbers = [1, 2].publisher
    let joined: [Publishers.Sequence<[Int], Never>] = [
      numbers.append(3, 4), numbers.append(3...4), numbers.append([3, 4].publisher),
      numbers.append(),
    ]
    let preceded: [Publishers.Sequence<[Int], Never>] = [
      numbers.prepend(3, 4), numbers.prepend(3...4), numbers.prepend([3, 4].publisher),
      numbers.prepend(),
    ]
    #expect(joined.map(\.sequence) == [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2]])
    #expect(preceded.map(\.sequence) == [[3, 4, 1, 2], [3, 4, 1, 2], [3, 4, 1, 2], [1, 2]])
  }

  @Test func anotherKindOfPublisherIsConcatenated() {
    let history = [1, 2].publisher.append(Just(3)).prepend(Just(0)).history()
    #expect(
      history.lines
        == ["subscription Concatenate", "value 0", "value 1", "value 2", "value 3", "finished"])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.dropFirst(-1) }
  }
}
