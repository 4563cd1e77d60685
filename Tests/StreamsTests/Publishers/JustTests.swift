import Streams
import TestSupport
import Testing

/// What is its own; how it delivers is in `SingleValueSourceTests`.
@Suite struct JustTests {
  let log = CallLog()

  @Test func isEqualIfTheValuesAre() {
    #expect(Just(7) == Just(7))
    #expect(Just(7) != Just(8))
    #expect(Just(7).output == 7)
  }

  @Test func anOperatorWorksAtOnce() {
    let mapped: Just<String> = Just(7).map { [log] value in
      log.append("map")
      return "\(value)"
    }
    #expect(log.lines == ["map"])
    #expect(mapped == Just("7"))
    #expect(mapped.history().events == [.subscription("Just"), .value("7"), .finished])
    #expect(log.lines == ["map"])
  }

  @Test func aThrowBecomesTheFailure() {
    let kept: Result<Int, any Error>.Publisher = Just(7).tryMap { $0 + 1 }
    let thrown: Result<Int, any Error>.Publisher = Just(7).tryMap { throw TestError("\($0)") }
    #expect(kept.history().events == [.subscription("Result"), .value(8), .finished])
    #expect(thrown.history().events == [.subscription("Empty"), .failure(TestError("7"))])
  }

  @Test func whatMayBeLeftOutIsOptional() {
    #expect(Just(7).compactMap { $0 > 5 ? $0 * 10 : nil } == Int?.Publisher(70))
    #expect(Just(3).compactMap { $0 > 5 ? $0 * 10 : nil } == Int?.Publisher(nil))
    #expect(Just(7).filter { $0 > 5 } == Int?.Publisher(7))
    #expect(Just(3).filter { $0 > 5 } == Int?.Publisher(nil))
  }

  @Test func anErrorThatCannotBeIsNotHandled() {
    #expect(Just(7).replaceError(with: 8) == Just(7))
    #expect(Just(7).retry(3) == Just(7))
    let mapped: Result<Int, TestError>.Publisher = Just(7).mapError { _ in TestError("never") }
    let typed: Result<Int, TestError>.Publisher = Just(7).setFailureType(to: TestError.self)
    #expect(mapped == Result<Int, TestError>.Publisher(7))
    #expect(typed == Result<Int, TestError>.Publisher(7))
  }
}
