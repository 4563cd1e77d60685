import Foundation
import StreamsFoundation
import VirtualTime

/// Something that happened on a ``StubNetwork``.
///
/// ```swift
/// print(event)  // Prints "120ms request 1: response 200 application/json"
/// ```
public struct NetworkEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The request was made.
    case started(HTTPMethod, url: String)
    /// There is no network to send the request on, and its session waits for one.
    case waiting
    /// The response came: its status and its media type, if it has one.
    case response(status: Int, mimeType: String?)
    /// A part of the body came; the total counts from the first part on.
    case chunk(bytes: Int, total: Int)
    /// The answer is complete.
    case finished
    /// The answer ended with an error.
    case failed(URLError.Code)
    /// The task was cancelled, after that many bytes of the body had come.
    case cancelled(bytes: Int)
    /// There was no answer to give, for the reason given; the request fails.
    case unmatched(String)
  }

  /// When it happened.
  public let time: VirtualTime

  /// The number of the request: requests are numbered from 1 in the order they were made.
  public let request: Int

  /// What happened.
  public let kind: Kind
}

extension NetworkEvent: CustomStringConvertible {
  /// One line: the time, the request and what happened.
  public var description: String { "\(time) request \(request): \(kind)" }
}

extension NetworkEvent.Kind: CustomStringConvertible {
  /// What happened in a few words.
  public var description: String {
    switch self {
    case .started(let method, let url): "\(method) \(url)"
    case .waiting: "waits for a network"
    case .response(let status, let type): "response \(status)" + (type.map { " \($0)" } ?? "")
    case .chunk(let bytes, let total): "chunk of \(bytes) bytes, \(total) in all"
    case .finished: "finished"
    case .failed(let code): "failed \(code.name)"
    case .cancelled(let bytes): "cancelled after \(bytes) bytes"
    case .unmatched(let reason): "unmatched: \(reason)"
    }
  }
}
