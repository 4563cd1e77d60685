import Streams

extension Timeline.Recording {
  /// The recording for other programs: one JSON object per event, each on its own line.
  ///
  /// ```
  /// {"number":1,"time":"120ms","nanoseconds":120000000,"place":1,"lane":"user","role":"operator",
  /// "event":"value","text":"Ada","thread":"main","cause":3,"from":[3],"subscription":1,
  /// "file":"app/main.swift","line":12}
  /// ```
  ///
  /// (That's one line.) The keys always come in this order, and a key without a value is left out.
  /// A part with a title begins with a line such as `{"part":"Its title"}`. `cause` is the event
  /// that led to this one, and `from` are the values that a value or a printed line is made of.
  ///
  /// The events are `subscription`, `request` (with `demand`, a number or `"unlimited"`), `value`,
  /// `finished`, `failure`, `cancelled`, `note` and `printed`. Those of a network request are
  /// `request-started` (with `method` and `url`), `request-waiting`, `request-sent`, `response`
  /// (`status`, `bytes`), `chunk` (`bytes`), `request-finished`, `request-failed` and
  /// `request-cancelled` (`bytes`).
  ///
  /// After the events of a part come its waits, such as:
  ///
  /// ```
  /// {"wait":"stopped","time":"100ms","nanoseconds":100000000,"end":180000000,"lane":"debounce",
  /// "role":"operator","cause":5,"subscription":1}
  /// ```
  ///
  /// A wait is `over`, `stopped` or `pending`. Only a pending one has no `end`.
  ///
  /// `time` is in the largest unit that is exact. `nanoseconds` and `end` are whole numbers since
  /// the start.
  ///
  /// - Returns: Lines that each end in a newline; empty if there are no events.
  public func trace() -> String {
    var text = ""
    for part in parts {
      if let title = part.title { text += JSONLine(("part", .text(title))).text }
      for event in part.events { text += JSONLine(event).text }
      for wait in part.waits { text += JSONLine(wait).text }
    }
    return text
  }
}

extension Timeline.Event.Kind {
  /// The kind's name, as the trace has it.
  package var name: String {
    switch self {
    case .subscription: "subscription"
    case .request: "request"
    case .value: "value"
    case .finished: "finished"
    case .failure: "failure"
    case .cancelled: "cancelled"
    case .note: "note"
    case .printed: "printed"
    case .network(.started): "request-started"
    case .network(.waiting): "request-waiting"
    case .network(.sent): "request-sent"
    case .network(.response): "response"
    case .network(.chunk): "chunk"
    case .network(.finished): "request-finished"
    case .network(.failed): "request-failed"
    case .network(.cancelled): "request-cancelled"
    }
  }
}

/// A JSON object on one line, with its keys in the order they were given.
private struct JSONLine {
  enum Value {
    case text(String)
    case number(Int64)
    case numbers([Int])
  }

  private var members: [String] = []

  init(_ members: (key: String, value: Value)...) {
    for (key, value) in members { append(key, value) }
  }

  init(_ event: Timeline.Event) {
    append("number", .number(Int64(event.number)))
    append("time", .text(event.time.description))
    append("nanoseconds", .number(event.time.nanoseconds))
    append("place", .number(Int64(event.place)))
    append("lane", .text(event.lane.name))
    append("role", .text(event.lane.role.rawValue))
    append(event.kind)
    if let thread = event.thread { append("thread", .text(thread)) }
    if let cause = event.cause { append("cause", .number(Int64(cause))) }
    if !event.from.isEmpty { append("from", .numbers(event.from)) }
    if let subscription = event.subscription {
      append("subscription", .number(Int64(subscription)))
    }
    if let line = event.line {
      append("file", .text(line.fileID))
      append("line", .number(Int64(line.line)))
    }
  }

  init(_ wait: Timeline.Wait) {
    append("wait", .text(wait.ending.rawValue))
    append("time", .text(wait.start.description))
    append("nanoseconds", .number(wait.start.nanoseconds))
    if wait.ending != .pending { append("end", .number(wait.end.nanoseconds)) }
    append("lane", .text(wait.lane.name))
    append("role", .text(wait.lane.role.rawValue))
    if let cause = wait.cause { append("cause", .number(Int64(cause))) }
    if let subscription = wait.subscription {
      append("subscription", .number(Int64(subscription)))
    }
  }

  var text: String { "{\(members.joined(separator: ","))}\n" }

  private mutating func append(_ kind: Timeline.Event.Kind) {
    append("event", .text(kind.name))
    switch kind {
    case .subscription, .finished, .cancelled: break
    case .request(let demand):
      append("demand", demand.max.map { .number(Int64($0)) } ?? .text("unlimited"))
    case .value(let text), .failure(let text), .note(let text), .printed(let text):
      append("text", .text(text))
    case .network(let event): append(event)
    }
  }

  private mutating func append(_ event: Timeline.Event.Network) {
    switch event {
    case .waiting, .sent, .finished: break
    case .started(let method, let url):
      append("method", .text(method))
      append("url", .text(url))
    case .response(let status, let bytes):
      append("status", .number(Int64(status)))
      if let bytes { append("bytes", .number(Int64(bytes))) }
    case .chunk(let bytes), .cancelled(let bytes):
      append("bytes", .number(Int64(bytes)))
    case .failed(let text): append("text", .text(text))
    }
  }

  private mutating func append(_ key: String, _ value: Value) {
    switch value {
    case .text(let text): members.append("\"\(key)\":\"\(text.escapedForJSON)\"")
    case .number(let number): members.append("\"\(key)\":\(number)")
    case .numbers(let numbers):
      members.append("\"\(key)\":[\(numbers.map { "\($0)" }.joined(separator: ","))]")
    }
  }
}

extension String {
  /// The text as it stands between the quotes of a JSON string.
  ///
  /// In addition to what RFC 8259 requires, every character that some program takes for the end of
  /// a line is escaped, so one object stays on one line.
  fileprivate var escapedForJSON: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result.append(contentsOf: "\\\"".unicodeScalars)
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
