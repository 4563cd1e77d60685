import Foundation
import VirtualTime

/// The response to a stubbed request, or its failure, with the times of all its parts.
///
/// ```swift
/// network.stub(
///   .get, "https://example.com/user",
///   responses: .status(503, after: .milliseconds(20)),
///   .json(#"{"name": "Ada"}"#, after: .milliseconds(120)))
/// ```
///
/// A response to a `HEAD` and one with status 204 or 301 to 308 has no body, as in a real session
/// on Linux, and is complete after its head.
///
/// Times are virtual. Each counts from the step before it, and the first from the moment the
/// request is sent. As with `URLSession`, a request fails with `URLError.timedOut` if nothing comes
/// for its timeout, which is 60 seconds unless you set it on the request or its session.
public struct StubResponse: Hashable, Sendable {
  /// One thing that arrives from the network.
  enum Step: Hashable, Sendable {
    /// A piece of the request's body was sent, so that this many bytes have been sent in all.
    case sent(total: Int)
    /// The head, and the URL that responds, if that's another one than the request's.
    case response(status: Int, headers: [String: String], from: URL? = nil)
    case chunk(Data)
    case finish
    case fail(URLError.Code)
  }

  /// The steps, each with the time since the step before. The last one is a finish or a failure.
  let steps: [(delay: VirtualTime.Interval, step: Step)]

  /// Whether this is the response to all further requests too.
  private(set) var isRepeating = false

  /// How the body of the request is sent before; `nil` for all at once.
  private(set) var upload: Upload?

  init(_ steps: [(delay: VirtualTime.Interval, step: Step)]) { self.steps = steps }
}

extension StubResponse {
  /// A piece of a body that arrives on its own.
  public struct Chunk: Hashable, Sendable {
    let data: Data
    let delay: VirtualTime.Interval

    /// Makes a chunk of text.
    ///
    /// - Parameters:
    ///   - text: The text, sent as UTF-8.
    ///   - delay: The virtual time since the response, or since the chunk before.
    public init(_ text: String, after delay: VirtualTime.Interval = .zero) {
      self.init(Data(text.utf8), after: delay)
    }

    /// Makes a chunk of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - delay: The virtual time since the response, or since the chunk before.
    public init(_ data: Data, after delay: VirtualTime.Interval = .zero) {
      self.data = data
      self.delay = delay
    }
  }

  /// The end of a response.
  public struct End: Hashable, Sendable {
    let step: Step
    let delay: VirtualTime.Interval

    /// The body is complete as soon as its last chunk has arrived.
    public static let finish = finish(after: .zero)

    /// The body is complete, but the client learns it some time after the last chunk.
    public static func finish(after delay: VirtualTime.Interval) -> End {
      End(step: .finish, delay: delay)
    }

    /// The connection breaks.
    ///
    /// - Parameters:
    ///   - code: The error that the session reports.
    ///   - delay: The virtual time since the last chunk, or since the response.
    public static func fail(
      _ code: URLError.Code, after delay: VirtualTime.Interval = .zero
    ) -> End {
      End(step: .fail(code), delay: delay)
    }
  }

  /// A response whose body comes in chunks, each at its own time.
  ///
  /// A session's data delegate receives each chunk. A completion handler receives the whole body at
  /// the end, and so does `dataTaskPublisher`. If the end is a failure, they receive only that.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields.
  ///   - chunks: The body, piece by piece.
  ///   - latency: The virtual time from the request to the response.
  ///   - end: Whether the body ends or the connection breaks, and when.
  /// - Returns: The response.
  public static func chunked(
    status: Int = 200, headers: [String: String] = [:], chunks: [Chunk] = [],
    latency: VirtualTime.Interval = .zero, end: End = .finish
  ) -> StubResponse {
    StubResponse(
      [(latency, .response(status: status, headers: headers))]
        + chunks.map { ($0.delay, .chunk($0.data)) } + [(end.delay, end.step)])
  }

  /// A response with a JSON body, all at once.
  ///
  /// - Parameters:
  ///   - text: The body. It isn't checked, because a test may need broken JSON.
  ///   - status: The status code.
  ///   - headers: Header fields in addition to `Content-Type: application/json`.
  ///   - latency: The virtual time from the request to the response.
  /// - Returns: The response.
  public static func json(
    _ text: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> StubResponse {
    data(
      Data(text.utf8), type: "application/json", status: status, headers: headers, after: latency)
  }

  /// A response with a text body in UTF-8, all at once.
  ///
  /// - Parameters:
  ///   - text: The body.
  ///   - status: The status code.
  ///   - headers: Header fields in addition to `Content-Type: text/plain; charset=utf-8`.
  ///   - latency: The virtual time from the request to the response.
  /// - Returns: The response.
  public static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> StubResponse {
    data(
      Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers,
      after: latency)
  }

  /// A response with a body, all at once.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - type: The `Content-Type`.
  ///   - status: The status code.
  ///   - headers: Header fields in addition to `Content-Type`. They can replace it.
  ///   - latency: The virtual time from the request to the response.
  /// - Returns: The response.
  public static func data(
    _ data: Data, type: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> StubResponse {
    chunked(
      status: status, headers: headers.adding("Content-Type", type),
      chunks: [Chunk(data)], latency: latency)
  }

  /// A response without a body.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields.
  ///   - latency: The virtual time from the request to the response.
  /// - Returns: The response.
  public static func status(
    _ status: Int, headers: [String: String] = [:], after latency: VirtualTime.Interval = .zero
  ) -> StubResponse {
    chunked(status: status, headers: headers, latency: latency)
  }

  /// A failure without any response.
  ///
  /// - Parameters:
  ///   - code: The error that the session reports.
  ///   - delay: The virtual time from the request to the error.
  /// - Returns: The response.
  public static func failure(
    _ code: URLError.Code, after delay: VirtualTime.Interval = .zero
  ) -> StubResponse {
    StubResponse([(delay, .fail(code))])
  }

  /// The same response, for all further requests too. It must be the last one of its stub.
  public var repeating: StubResponse { repeating(true) }

  /// The same response, to a request whose body takes its time.
  ///
  /// ```swift
  /// network.stub(
  ///   .post, "https://example.com/photo",
  ///   responses: .status(201, after: .milliseconds(50)).afterUpload(in: 4, over: .seconds(2)))
  /// ```
  ///
  /// After each piece, the session tells its delegate how much was sent, with
  /// `urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)`. The response's
  /// own times count from the last piece. Without this call the whole body is sent at once, in
  /// pieces of 64 KiB as in a real session on Linux. A request without a body doesn't wait.
  ///
  /// - Parameters:
  ///   - pieces: The number of pieces, at least one. They have the same size, as far as possible.
  ///   - duration: The virtual time from the request to the end of the last piece.
  /// - Returns: The response.
  public func afterUpload(in pieces: Int, over duration: VirtualTime.Interval) -> StubResponse {
    precondition(pieces > 0, "a body can't be sent in \(pieces) pieces: send it in at least one")
    return afterUpload(Upload(pieces: pieces, duration: duration))
  }
}

extension StubResponse {
  /// From this number of seconds on, a timeout doesn't limit anything: virtual time lasts about as
  /// long.
  static let longestTimeout: TimeInterval = 9e9

  /// Returns the same response with a limit on each wait. The first wait that is longer ends at the
  /// limit, with `timedOut`.
  ///
  /// - Parameter seconds: The limit in seconds. With zero and less, the request fails at once, as
  ///   it does in a real session on Linux. That session also drops fractions of a second, and traps
  ///   with infinity. Here a fraction counts, and infinity means no limit.
  func timingOut(after seconds: TimeInterval) -> StubResponse {
    // Infinite, not a number, or about as long as virtual time lasts: no limit.
    guard seconds < Self.longestTimeout else { return self }
    guard seconds > 0 else { return .failure(.timedOut).repeating(isRepeating) }
    let limit = VirtualTime.Interval.seconds(seconds)
    guard let late = steps.firstIndex(where: { $0.delay > limit }) else { return self }
    return StubResponse(steps[..<late] + [(limit, .fail(.timedOut))]).repeating(isRepeating)
  }

  private func repeating(_ isRepeating: Bool) -> StubResponse {
    var response = self
    response.isRepeating = isRepeating
    return response
  }

  func afterUpload(_ upload: Upload?) -> StubResponse {
    var response = self
    response.upload = upload
    return response
  }

  /// Whether both have the same steps at the same times, after the same upload, and both repeat or
  /// neither does.
  public static func == (lhs: StubResponse, rhs: StubResponse) -> Bool {
    lhs.isRepeating == rhs.isRepeating && lhs.upload == rhs.upload
      && lhs.steps.elementsEqual(rhs.steps, by: ==)
  }

  /// Hashes the steps, their times, the upload, and whether the response repeats.
  public func hash(into hasher: inout Hasher) {
    for (delay, step) in steps {
      hasher.combine(delay)
      hasher.combine(step)
    }
    hasher.combine(upload)
    hasher.combine(isRepeating)
  }
}
