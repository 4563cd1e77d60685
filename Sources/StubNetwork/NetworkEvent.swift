import Timeline
import VirtualTime

/// Something that happened on a ``StubNetwork``.
///
/// ```swift
/// print(event)  // Prints "120ms request 1: 200 OK"
/// ```
public struct NetworkEvent: Hashable, Sendable {
  /// When it happened.
  public let time: VirtualTime

  /// The number of the request: requests are numbered from 1 in the order they were made.
  public let request: Int

  /// The kind of event.
  public let kind: Timeline.Event.Network
}

extension NetworkEvent: CustomStringConvertible {
  /// One line: the time, the request and what happened.
  public var description: String { "\(time) request \(request): \(kind)" }
}
