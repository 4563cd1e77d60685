import StreamsTesting
import TestSupport
import Testing

/// An error that isn't `Equatable`.
private struct PlainError: Error {
  var code: Int
}

/// An error whose text doesn't show all of it.
private struct QuietError: Error, Equatable, CustomStringConvertible {
  var code: Int
  var description: String { "quiet" }
}

struct TimedEventTests {
  @Test func itsTextHasTheKindTheContentAndTheTime() {
    let events: [TimedEvent<String, TestError>] = [
      .subscription(at: .zero), .value("a", at: .milliseconds(1)),
      .value("two\nlines", at: .seconds(1)), .failure("no more", at: .microseconds(1)),
      .finished(at: .zero), .cancelled(at: .zero),
    ]
    #expect(
      events.map(\.description) == [
        "subscription at 0", "value \"a\" at 1ms", "value \"two\\nlines\" at 1s",
        "failure no more at 1us", "finished at 0", "cancelled at 0",
      ])
  }

  @Test func aTextOfSeveralLinesBecomesOne() {
    let event = TimedEvent<TestError, Never>.value("two\nlines", at: .zero)
    #expect(event.description == "value two lines at 0")
  }

  @Test func eventsAreEqualIfTimeKindAndContentAre() {
    let events: [TimedEvent<Int, TestError>] = [
      .subscription(at: .zero), .value(1, at: .zero), .value(2, at: .zero),
      .value(1, at: .seconds(1)), .finished(at: .zero), .failure("a", at: .zero),
      .failure("b", at: .zero), .cancelled(at: .zero),
    ]
    for (first, event) in events.enumerated() {
      for (second, other) in events.enumerated() {
        #expect((event == other) == (first == second))
      }
    }
  }

  @Test func errorsAreComparedByValueOrByText() {
    typealias Kind = TimedEvent<Int, any Error>.Kind
    #expect(Kind.failure(PlainError(code: 1)) == .failure(PlainError(code: 1)))
    #expect(Kind.failure(PlainError(code: 1)) != .failure(PlainError(code: 2)))
    #expect(Kind.failure(QuietError(code: 1)) == .failure(QuietError(code: 1)))
    #expect(Kind.failure(QuietError(code: 1)) != .failure(QuietError(code: 2)))
    #expect(Kind.failure(PlainError(code: 1)) != .failure(QuietError(code: 1)))
  }
}
