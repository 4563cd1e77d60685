import Streams
import TestSupport
import Testing

/// What is its own; how it delivers a value is in `SingleValueSourceTests`.
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

  @Test func operatorsDoNothingToNothing() {
    let mapped = IntPublisher(nil).map { [log] value in log.append("map \(value)") }
      .compactMap { [log] in log.append("compactMap") }
      .filter { [log] in
        log.append("filter")
        return true
      }
    #expect(mapped.history().lines == ["subscription Empty", "finished"])
    #expect(log.lines == [])
  }

  @Test func whatIsLeftOutIsNil() {
    #expect(IntPublisher(7).compactMap { $0 > 5 ? $0 * 10 : nil } == IntPublisher(70))
    #expect(IntPublisher(3).compactMap { $0 > 5 ? $0 * 10 : nil } == IntPublisher(nil))
    #expect(IntPublisher(7).filter { $0 > 5 } == IntPublisher(7))
    #expect(IntPublisher(3).filter { $0 > 5 } == IntPublisher(nil))
  }

  @Test(arguments: [7, nil]) func anErrorThatCannotBeIsNotHandled(output: Int?) {
    #expect(IntPublisher(output).replaceError(with: 8) == IntPublisher(output))
    #expect(IntPublisher(output).retry(3) == IntPublisher(output))
  }
}
