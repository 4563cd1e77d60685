import Foundation
import StreamsFoundation
import VirtualTime

/// Something that happened on a ``StubNetwork``.
///
/// ```swift
/// print(event)  // Prints "120ms request 1: response 200 application/json"
/// ```
public struct NetworkEvent: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// The request was made.
    case started(HTTPMethod, url: String)
    /// The request waits for connectivity, because ``StubNetwork/isConnected`` is `false`.
    case waiting
    /// The request was sent after it had waited for connectivity.
    case sent
    /// The response arrived, with its status and its media type, if it has one.
    case response(status: Int, mimeType: String?)
    /// A chunk of the body arrived. `total` is the number of bytes so far.
    case chunk(bytes: Int, total: Int)
    /// The response is complete.
    case finished
    /// The request failed.
    case failed(URLError.Code)
    /// The task was cancelled after this many bytes of the body.
    case cancelled(bytes: Int)
    /// No stub could respond, for this reason. The request fails.
    case unmatched(String)
  }

  /// When it happened.
  public let time: VirtualTime

  /// The number of the request: requests are numbered from 1 in the order they were made.
  public let request: Int

  /// The kind of event.
  public let kind: Kind

  /// For a start or a cancellation: what ``CauseTracking/current`` returned to the code that made
  /// or cancelled the task. `nil` for other events, and if it isn't known.
  package let cause: Int?
}

/// Follows causes and effects through a network.
package protocol CauseTracking: Sendable {
  /// The number of the event that the calling code follows from.
  var current: Int? { get }

  /// The place of the calling code, if reports need that of the request which it makes.
  var site: (any WorkSite)? { get }

  /// Notes where the task of a request was made, before its first event.
  func note(_ site: any WorkSite, of request: Int)

  /// Runs a callback, which follows from the latest event of its request.
  func run(callbackOf request: Int, _ callback: () -> Void)

  /// The calling code, if it's outside the world; `nil` inside.
  ///
  /// Called inside `resume()`, where the caller's queue isn't the current one.
  var outsider: Outsider? { get }

  /// Whether the calling code runs on a queue whose blocks belong to the world.
  var isOnAttachedQueue: Bool { get }

  /// Notes that a request comes from outside the world, before its first event.
  func note(_ outsider: Outsider, of request: Int, _ summary: String)

  /// Notes a request that was made after the end of the world.
  func noteLate(_ summary: String)
}

/// Code outside a world that made a request.
package struct Outsider: Sendable {
  /// The identity of its task; `nil` if it isn't a task.
  package let task: String?

  /// Where it is.
  package let site: (any WorkSite)?

  package init(task: String?, site: (any WorkSite)?) {
    self.task = task
    self.site = site
  }
}

extension NetworkEvent: CustomStringConvertible {
  /// One line: the time, the request and what happened.
  public var description: String { "\(time) request \(request): \(kind)" }
}

extension NetworkEvent.Kind: CustomStringConvertible {
  /// A few words, such as `response 200 text/plain`.
  public var description: String {
    switch self {
    case .started(let method, let url): "\(method) \(url)"
    case .waiting: "waits for connectivity"
    case .sent: "sent"
    case .response(let status, let type): "response \(status)" + (type.map { " \($0)" } ?? "")
    case .chunk(let bytes, let total): "chunk of \(bytes) bytes, \(total) in all"
    case .finished: "finished"
    case .failed(let code): "failed \(code.name)"
    case .cancelled(let bytes): "cancelled after \(bytes) bytes"
    case .unmatched(let reason): "unmatched: \(reason)"
    }
  }
}
