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
/// Times are virtual. Each counts from the step before it, and the first from the moment the
/// request is sent. As with `URLSession`, a request fails with `URLError.timedOut` if nothing comes
/// for its timeout, which is 60 seconds unless you set it on the request or its session.
public struct StubResponse: Hashable, Sendable {
  /// One thing that arrives from the network.
  enum Step: Hashable, Sendable {
    case response(status: Int, headers: [String: String])
    case chunk(Data)
    case finish
    case fail(URLError.Code)
  }

  /// The steps, each with the time since the step before. The last one is a finish or a failure.
  let steps: [(delay: VirtualTime.Interval, step: Step)]

  /// Whether this is the response to all further requests too.
  private(set) var isRepeating = false

  private init(_ steps: [(delay: VirtualTime.Interval, step: Step)]) { self.steps = steps }
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
      status: status, headers: headers.merging(["Content-Type": type]) { given, _ in given },
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

  /// Whether it has a status, and doesn't fail before that.
  var hasStatus: Bool {
    if case .response = steps.first?.step { true } else { false }
  }

  /// Whether something of it comes later than at once, so that it can be slower.
  var takesTime: Bool { steps.contains { $0.delay > .zero } }

  /// The number of bytes in its body.
  var byteCount: Int {
    steps.reduce(0) { count, step in
      if case .chunk(let data) = step.step { count + data.count } else { count }
    }
  }

  /// The same response with something going wrong.
  func with(_ fault: NetworkFault.Kind) -> StubResponse {
    let first = steps[0].delay
    switch fault {
    case .refused: return .failure(.cannotConnectToHost, after: first)
    case .timedOut: return .failure(.timedOut, after: .seconds(60))
    case .lost(let limit): return cut(after: limit)
    case .status(let status):
      return mapped { step in
        guard case .response(_, var headers) = step else { return step }
        if status == 503 { headers["Retry-After"] = "5" }
        return .response(status: status, headers: headers)
      }
    case .malformedBody:
      let page = Step.chunk(Data("<html>Something went wrong.</html>".utf8))
      let rest = withoutBody.steps
      return StubResponse([rest[0], (.zero, page)] + rest.dropFirst())
    case .emptyBody: return withoutBody
    case .slow(let times): return StubResponse(steps.map { ($0.delay * .seconds(times), $0.step) })
    }
  }

  /// The same response without a body, which ends at the same time.
  private var withoutBody: StubResponse {
    var rest: [(delay: VirtualTime.Interval, step: Step)] = []
    var skipped = VirtualTime.Interval.zero
    for (delay, step) in steps {
      skipped += delay
      if step.isChunk { continue }
      rest.append((skipped, step))
      skipped = .zero
    }
    return StubResponse(rest)
  }

  private func mapped(_ change: (Step) -> Step) -> StubResponse {
    StubResponse(steps.map { ($0.delay, change($0.step)) })
  }

  /// The same response, whose connection breaks after some bytes of the body.
  private func cut(after limit: Int) -> StubResponse {
    var rest = limit
    var cut: [(delay: VirtualTime.Interval, step: Step)] = []
    for (delay, step) in steps {
      guard case .chunk(let data) = step else {
        if step.isEnd { break }
        cut.append((delay, step))
        continue
      }
      if rest > 0 { cut.append((delay, .chunk(data.prefix(rest)))) }
      rest -= data.count
      if rest <= 0 { break }
    }
    return StubResponse(cut + [(.zero, .fail(.networkConnectionLost))])
  }

  private func repeating(_ isRepeating: Bool) -> StubResponse {
    var response = self
    response.isRepeating = isRepeating
    return response
  }

  /// Why a session under a stub can't receive this response; `nil` if it can.
  ///
  /// Each of these responses would hang or crash FoundationNetworking on Linux.
  var refusal: String? {
    for case (_, .response(let status, let headers)) in steps {
      let names = Set(headers.keys.map { $0.lowercased() })
      if (300..<400).contains(status), names.contains("location") {
        return "a redirect (\(status) with Location) isn't followed under a stub: "
          + "respond as the final URL would"
      }
      if status == 401, names.contains("www-authenticate") {
        return "a stub can't send an authentication challenge (401 with WWW-Authenticate): "
          + "leave the header out"
      }
    }
    return nil
  }

  /// Whether both have the same steps at the same times, and both repeat or neither does.
  public static func == (lhs: StubResponse, rhs: StubResponse) -> Bool {
    lhs.isRepeating == rhs.isRepeating && lhs.steps.elementsEqual(rhs.steps, by: ==)
  }

  /// Hashes the steps, their times, and whether the response repeats.
  public func hash(into hasher: inout Hasher) {
    for (delay, step) in steps {
      hasher.combine(delay)
      hasher.combine(step)
    }
    hasher.combine(isRepeating)
  }
}

extension StubResponse.Step {
  fileprivate var isChunk: Bool { if case .chunk = self { true } else { false } }

  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    case .response, .chunk: false
    }
  }
}
