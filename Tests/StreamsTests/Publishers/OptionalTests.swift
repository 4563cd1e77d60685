import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
@Suite struct OptionalTests {
  typealias IntPublisher = Int?.Publisher

  let log = CallLog()

  @Test func publishesTheValueOfAnOptional() {
    #expect((7 as Int?).publisher == IntPublisher(7))
    #expect((nil as Int?).publisher == IntPublisher(nil))
    #expect(IntPublisher(7) != IntPublisher(nil))
    #expect(IntPublisher(7).output == 7)
  }

  @Test func endsAtOnceWithoutAValue() {
    let history = IntPublisher(nil).history(demand: .none)
    #expect(history.events == [.subscription("Empty"), .finished])
  }

  @Test func anOperatorWorksAtOnce() {
    let mapped: String?.Publisher = IntPublisher(7).map { [log] value in
      log.append("map")
      return "\(value)"
    }
    #expect(log.lines == ["map"])
    #expect(mapped.history().events == [.subscription("Optional"), .value("7"), .finished])
    #expect(log.lines == ["map"])
  }

  @Test func operatorsDoNotCallTheirClosuresForNil() {
    let mapped = IntPublisher(nil).map { [log] value in log.append("map \(value)") }
      .compactMap { [log] in log.append("compactMap") }
      .filter { [log] in
        log.append("filter")
        return true
      }
    #expect(mapped.history().lines == ["subscription Empty", "finished"])
    #expect(log.lines == [])
  }

  @Test func droppedValuesBecomeNil() {
    #expect(IntPublisher(7).compactMap { $0 > 5 ? $0 * 10 : nil } == IntPublisher(70))
    #expect(IntPublisher(3).compactMap { $0 > 5 ? $0 * 10 : nil } == IntPublisher(nil))
    #expect(IntPublisher(7).filter { $0 > 5 } == IntPublisher(7))
    #expect(IntPublisher(3).filter { $0 > 5 } == IntPublisher(nil))
  }

  @Test(arguments: [7, nil]) func errorOperatorsDoNothingIfThePublisherCannotFail(output: Int?) {
    #expect(IntPublisher(output).replaceError(with: 8) == IntPublisher(output))
    #expect(IntPublisher(output).retry(3) == IntPublisher(output))
  }

  @Test(arguments: [7, nil]) func operatorsTreatAValueAsAWholeStreamAndKeepNil(output: Int?) {
    let publisher = output.publisher
    #expect(publisher.collect() == [Int]?.Publisher(output.map { [$0] } ?? []))
    #expect(publisher.count() == Int?.Publisher(output.map { _ in 1 }))
    #expect(publisher.first() == publisher)
    #expect(publisher.last() == publisher)
    #expect(publisher.removeDuplicates() == publisher)
    #expect(publisher.removeDuplicates { _, _ in fatalError() } == publisher)
    #expect(publisher.ignoreOutput() == Empty(completeImmediately: true))
    #expect(publisher.reduce(1, +) == Int?.Publisher(output.map { $0 + 1 }))
    #expect(publisher.scan(1, +) == Int?.Publisher(output.map { $0 + 1 }))
  }

  @Test(arguments: [7, 3, nil]) func aPredicateKeepsOrDropsTheValue(output: Int?) {
    let kept = output == 7 ? output.publisher : Int?.Publisher(nil)
    #expect(output.publisher.first { $0 > 5 } == kept)
    #expect(output.publisher.last { $0 > 5 } == kept)
    #expect(output.publisher.prefix { $0 > 5 } == kept)
  }

  @Test(arguments: [7, nil]) func theValueHasIndexZero(output: Int?) {
    let publisher = output.publisher
    let nothing = Int?.Publisher(nil)
    #expect([publisher.prefix(0), publisher.prefix(1)] == [nothing, publisher])
    #expect([publisher.output(at: 0), publisher.output(at: 1)] == [publisher, nothing])
    #expect([publisher.output(in: 0...), publisher.output(in: ...4)] == [publisher, publisher])
    #expect([publisher.output(in: 1...), publisher.output(in: 0..<0)] == [nothing, nothing])
  }

  @Test(arguments: [7, nil]) func droppingKeepsOrDropsTheValue(output: Int?) {
    let publisher = output.publisher
    let nothing = Int?.Publisher(nil)
    #expect([publisher.dropFirst(0), publisher.dropFirst(1)] == [publisher, nothing])
    #expect(publisher.dropFirst() == nothing)
    #expect(publisher.drop { $0 < 5 } == publisher)
    #expect(publisher.drop { $0 < 9 } == nothing)
  }

  @Test func negativeIndicesTrap() async throws {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.dropFirst(-1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.prefix(-1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.output(at: -1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.output(in: -1...4)
      },
    ]
    let messages = [
      "dropFirst: the count can't be negative: -1", "prefix: the length can't be negative: -1",
      "output(at:): the index can't be negative: -1",
      "output(in:): the bounds can't be negative: -1..<5",
    ]
    for (result, message) in zip(results, messages) {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains(message))
    }
  }
}
