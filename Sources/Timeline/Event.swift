import Streams
import VirtualTime

extension Timeline {
  /// One thing that happened.
  public struct Event: Hashable, Sendable {
    /// Its number in the recording, from 1.
    public let number: Int

    /// When it happened.
    public let time: VirtualTime

    /// Its place among the events of that instant, from 1.
    public let place: Int

    /// Where it happened.
    public let lane: Lane

    /// The kind of event.
    public let kind: Kind

    /// The label of the thread or queue it happened on, if it was recorded.
    public let thread: String?

    /// The number of the event that led to it; `nil` if the program's own code did.
    public let cause: Int?

    /// The numbers of the values that this value or printed line is made of, ascending: in `zip`,
    /// one of each publisher. They're the events that passed the last lane before this one. Empty
    /// if it's made of none, such as the tick of a timer.
    public let from: [Int]

    /// The subscription it belongs to: those of one lane are numbered from 1. `nil` in a lane
    /// without subscriptions, such as the console's.
    public let subscription: Int?

    /// The line of code that recorded it, if it was passed on.
    public let line: SourceLine?

    /// Makes an event. A ``Timeline`` makes its own events.
    public init(
      number: Int, time: VirtualTime, place: Int, lane: Lane, kind: Kind, thread: String? = nil,
      cause: Int? = nil, from: [Int] = [], subscription: Int? = nil, line: SourceLine? = nil
    ) {
      self.number = number
      self.time = time
      self.place = place
      self.lane = lane
      self.kind = kind
      self.thread = thread
      self.cause = cause
      self.from = from
      self.subscription = subscription
      self.line = line
    }
  }

  /// A line of code.
  public struct SourceLine: Hashable, Sendable, CustomStringConvertible {
    /// The file as `#fileID` gives it, such as `decode_user/main.swift`.
    public let fileID: String

    /// The line, from 1.
    public let line: Int

    /// Makes a line.
    public init(fileID: String, line: Int) {
      self.fileID = fileID
      self.line = line
    }

    /// The file's name and the line, such as `main.swift:12`.
    public var description: String {
      "\(fileID.split(separator: "/").last.map(String.init) ?? fileID):\(line)"
    }
  }
}

extension Timeline.Event {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// The lane's subscriber received a subscription.
    case subscription
    /// Values were requested.
    case request(Subscribers.Demand)
    /// A value was delivered. The text describes it.
    case value(String)
    /// The stream finished.
    case finished
    /// The stream failed. The text describes the error.
    case failure(String)
    /// The subscription was cancelled.
    case cancelled
    /// A remark.
    case note(String)
    /// A line was printed.
    case printed(String)
    /// Something happened to a network request.
    case network(Network)
  }

  /// The events of a network request.
  public enum Network: Hashable, Sendable {
    /// The request was made.
    case started(method: String, url: String)
    /// The request waits for connectivity.
    case waiting
    /// The request was sent after it had waited for connectivity.
    case sent
    /// The response arrived, with the size of its body if that arrived at the same instant.
    case response(status: Int, bytes: Int? = nil)
    /// A chunk of the body arrived.
    case chunk(bytes: Int)
    /// The response is complete.
    case finished
    /// The request failed.
    case failed(String)
    /// The request was cancelled after this many bytes of the body.
    case cancelled(bytes: Int)
  }
}

extension Timeline.Event.Kind: CustomStringConvertible {
  /// The event as a transcript shows it, such as `value Ada` or `200 OK, 44 bytes`.
  public var description: String {
    switch self {
    case .subscription: "subscribed"
    case .request(let demand): "request \(demand.max.map { "\($0)" } ?? "unlimited")"
    case .value(let text): "value \(text)"
    case .finished: "finished"
    case .failure(let text): "failed: \(text)"
    case .cancelled: "cancelled"
    case .note(let text), .printed(let text): text
    case .network(let event): event.description
    }
  }
}

extension Timeline.Event.Network: CustomStringConvertible {
  /// The event as a transcript shows it, such as `200 OK, 44 bytes`.
  public var description: String {
    switch self {
    case .started(let method, let url): "\(method) \(url)"
    case .waiting: "waits for connectivity"
    case .sent: "sent"
    case .response(let status, nil): Self.name(ofStatus: status)
    case .response(let status, let bytes?): "\(Self.name(ofStatus: status)), \(count(bytes))"
    case .chunk(let bytes): count(bytes)
    case .finished: "finished"
    case .failed(let text): "failed: \(text)"
    case .cancelled(let bytes): "cancelled after \(count(bytes))"
    }
  }

  private func count(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }

  private static func name(ofStatus status: Int) -> String {
    reasons[status].map { "\(status) \($0)" } ?? "\(status)"
  }

  /// The most common reason phrases of RFC 9110. Other statuses are shown as a number.
  static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 304: "Not Modified", 307: "Temporary Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 422: "Unprocessable Content",
    429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
