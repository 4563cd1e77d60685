import Foundation
import VirtualTime

/// What a stubbed request is answered with, and when.
///
/// ```swift
/// network.stub(
///   .get, "https://example.com/user",
///   answers: .status(503, after: .milliseconds(20)),
///   .json(#"{"name": "Ada"}"#, after: .milliseconds(120)))
/// ```
///
/// Times are virtual and count from the step before: the first one from the moment the request was
/// made.
public struct Answer: Hashable, Sendable {
  /// One thing that comes from the network.
  enum Step: Hashable, Sendable {
    case response(status: Int, headers: [String: String])
    case chunk(Data)
    case finish
    case fail(URLError.Code)
  }

  /// What comes, each with the time since what came before. The last step is an end.
  let steps: [(delay: VirtualTime.Interval, step: Step)]

  /// Whether this answers all further requests too.
  private(set) var isRepeating = false

  private init(_ steps: [(delay: VirtualTime.Interval, step: Step)]) { self.steps = steps }
}

extension Answer {
  /// A part of a body that arrives on its own.
  public struct Chunk: Hashable, Sendable {
    let data: Data
    let delay: VirtualTime.Interval

    /// Makes a chunk of text.
    ///
    /// - Parameters:
    ///   - text: The text, sent as UTF-8.
    ///   - delay: The virtual time since what came before: the response, or another chunk.
    public init(_ text: String, after delay: VirtualTime.Interval = .zero) {
      self.init(Data(text.utf8), after: delay)
    }

    /// Makes a chunk of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - delay: The virtual time since what came before: the response, or another chunk.
    public init(_ data: Data, after delay: VirtualTime.Interval = .zero) {
      self.data = data
      self.delay = delay
    }
  }

  /// How an answer ends.
  public struct End: Hashable, Sendable {
    let step: Step
    let delay: VirtualTime.Interval

    /// All was sent; known as soon as the last chunk is there.
    public static let finish = finish(after: .zero)

    /// All was sent, which becomes known some time after the last chunk.
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
  /// A session's data delegate sees each chunk. A completion handler, and with it
  /// `dataTaskPublisher`, sees the whole body at the end; if the end is a failure, it sees nothing
  /// else.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields.
  ///   - chunks: The body.
  ///   - latency: The virtual time from the request to the response.
  ///   - end: How it ends.
  /// - Returns: The answer.
  public static func respond(
    status: Int = 200, headers: [String: String] = [:], chunks: [Chunk] = [],
    latency: VirtualTime.Interval = .zero, end: End = .finish
  ) -> Answer {
    Answer(
      [(latency, .response(status: status, headers: headers))]
        + chunks.map { ($0.delay, .chunk($0.data)) } + [(end.delay, end.step)])
  }

  /// A response with a JSON body, all at once.
  ///
  /// - Parameters:
  ///   - text: The body. It is not checked: a test may well want broken JSON.
  ///   - status: The status code.
  ///   - headers: Header fields beside `Content-Type: application/json`.
  ///   - latency: The virtual time from the request to the answer.
  /// - Returns: The answer.
  public static func json(
    _ text: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> Answer {
    data(
      Data(text.utf8), type: "application/json", status: status, headers: headers, after: latency)
  }

  /// A response with a text body in UTF-8, all at once.
  ///
  /// - Parameters:
  ///   - text: The body.
  ///   - status: The status code.
  ///   - headers: Header fields beside `Content-Type: text/plain; charset=utf-8`.
  ///   - latency: The virtual time from the request to the answer.
  /// - Returns: The answer.
  public static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> Answer {
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
  ///   - headers: Header fields beside `Content-Type`, which they can replace.
  ///   - latency: The virtual time from the request to the answer.
  /// - Returns: The answer.
  public static func data(
    _ data: Data, type: String, status: Int = 200, headers: [String: String] = [:],
    after latency: VirtualTime.Interval = .zero
  ) -> Answer {
    respond(
      status: status, headers: headers.merging(["Content-Type": type]) { given, _ in given },
      chunks: [Chunk(data)], latency: latency)
  }

  /// A response without a body.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields.
  ///   - latency: The virtual time from the request to the answer.
  /// - Returns: The answer.
  public static func status(
    _ status: Int, headers: [String: String] = [:], after latency: VirtualTime.Interval = .zero
  ) -> Answer {
    respond(status: status, headers: headers, latency: latency)
  }

  /// No response at all.
  ///
  /// - Parameters:
  ///   - code: The error that the session reports.
  ///   - delay: The virtual time from the request to the error.
  /// - Returns: The answer.
  public static func failure(
    _ code: URLError.Code, after delay: VirtualTime.Interval = .zero
  ) -> Answer {
    Answer([(delay, .fail(code))])
  }

  /// The same answer, given to all further requests too. It comes last in a stub.
  public var repeating: Answer {
    var answer = self
    answer.isRepeating = true
    return answer
  }
}

extension Answer {
  /// Why a session under a stub cannot give this answer; `nil` if it can.
  ///
  /// Each of these would hang or crash FoundationNetworking on Linux.
  var refusal: String? {
    for case (_, .response(let status, let headers)) in steps {
      let names = Set(headers.keys.map { $0.lowercased() })
      if (300..<400).contains(status), names.contains("location") {
        return "a redirect (\(status) with Location) is not followed under a stub: "
          + "answer as the final URL would"
      }
      if status == 401, names.contains("www-authenticate") {
        return "a challenge (401 with WWW-Authenticate) is not answered under a stub: "
          + "leave the header out"
      }
    }
    return nil
  }

  /// Whether both say the same.
  public static func == (lhs: Answer, rhs: Answer) -> Bool {
    lhs.isRepeating == rhs.isRepeating && lhs.steps.elementsEqual(rhs.steps, by: ==)
  }

  /// Feeds what the answer says to the hasher.
  public func hash(into hasher: inout Hasher) {
    for (delay, step) in steps {
      hasher.combine(delay)
      hasher.combine(step)
    }
    hasher.combine(isRepeating)
  }
}
