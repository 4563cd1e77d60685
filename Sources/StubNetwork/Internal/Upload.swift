import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension StubResponse {
  /// How the body of a request is sent, before its response.
  struct Upload: Hashable, Sendable {
    let pieces: Int
    let duration: VirtualTime.Interval

    func slower(_ times: Int) -> Upload {
      Upload(pieces: pieces, duration: duration * .seconds(times))
    }
  }

  /// The response to a request with a body of so many bytes, after the steps that send it.
  func sending(_ byteCount: Int) -> StubResponse {
    guard let upload, byteCount > 0 else { return self }
    let pieces = min(upload.pieces, byteCount)
    let duration = Int(upload.duration.nanoseconds)
    let sent = (1...pieces).map { piece in
      // Whole numbers, so that the last piece is sent exactly at the end.
      (
        delay: VirtualTime.Interval.nanoseconds(
          duration.part(piece, of: pieces) - duration.part(piece - 1, of: pieces)),
        step: Step.sent(total: byteCount.part(piece, of: pieces))
      )
    }
    return StubResponse(sent + steps)
  }
}

/// The delegate of a task without a handler. Its session keeps it, and the session can go first.
struct TaskRecipient: Sendable {
  let delegate: any URLSessionTaskDelegate
  weak let session: URLSession?

  /// - Returns: `nil` if the session's delegate has no methods for tasks.
  init?(of session: URLSession) {
    guard let delegate = session.delegate as? any URLSessionTaskDelegate else { return nil }
    (self.delegate, self.session) = (delegate, session)
  }
}

/// How much of a request's body was sent, as the delegate of its task is told.
///
/// A session on Linux tells it of tasks without a handler only. It doesn't know the size of a
/// stream, so it expects zero bytes then.
struct BodyProgress: Sendable {
  /// One call of the delegate.
  struct Report: Sendable {
    fileprivate let recipient: TaskRecipient
    fileprivate let count, total, expected: Int64

    /// Calls the delegate of a task that hasn't ended, on the queue of its session.
    func deliver(of task: URLSessionTask?) {
      guard let session = recipient.session, let task else { return }
      session.delegateQueue.addOperation {
        guard task.state == .running || task.state == .suspended else { return }
        recipient.delegate.urlSession(
          session, task: task, didSendBodyData: count, totalBytesSent: total,
          totalBytesExpectedToSend: expected)
      }
    }
  }

  /// A session on Linux sends this many bytes at once.
  private static let piece = 65_536

  /// The size of the body.
  let byteCount: Int
  private let recipient: TaskRecipient?
  private let isStream: Bool
  private var sent = 0

  /// - Parameters:
  ///   - byteCount: The size of the body.
  ///   - isStream: Whether the body was a stream.
  ///   - recipient: The delegate to tell; `nil` for none.
  init(byteCount: Int, isStream: Bool, to recipient: TaskRecipient?) {
    self.byteCount = byteCount
    self.isStream = isStream
    self.recipient = recipient
  }

  /// Notes that more of the body was sent.
  ///
  /// - Parameter total: The number of bytes that have been sent in all.
  mutating func advance(to total: Int) -> Report? {
    defer { sent = total }
    return recipient.map {
      Report(
        recipient: $0, count: Int64(total - sent), total: Int64(total),
        expected: isStream ? 0 : Int64(byteCount))
    }
  }

  /// Notes that the rest of the body was sent at once.
  mutating func finish() -> [Report] {
    var reports: [Report] = []
    while sent < byteCount {
      guard let report = advance(to: min(byteCount, sent + Self.piece)) else { return [] }
      reports.append(report)
    }
    return reports
  }
}

extension Int {
  /// The number times `part / whole`, rounded down.
  fileprivate func part(_ part: Int, of whole: Int) -> Int {
    let (quotient, rest) = quotientAndRemainder(dividingBy: whole)
    return quotient * part + rest * part / whole
  }
}
