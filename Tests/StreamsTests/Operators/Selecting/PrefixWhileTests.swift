import Streams
import TestSupport
import Testing

/// What is its own; what it shares with others is in `EarlyEndTests`.
struct PrefixWhileTests {
  @Test func asksForEachValueUntilTheAnswerIsNo() {
    let log = CallLog()
    let source = ScriptedPublisher<Int?, Never>()
    let history = source.prefix { value in
      log.append("\(value ?? 0)")
      return value != 3
    }.history()
    for value in [1, nil, 3, 4] { source.send(value) }
    #expect(history.events == [.subscription("PrefixWhile"), .value(1), .value(nil), .finished])
    #expect(log.lines == ["1", "0", "3"])
  }
}
