import Timeline
import VirtualTime

/// Knows which code makes the requests of a network, if that's part of a world.
package protocol RequestWatch: Sendable {
  /// The calling code, if it's outside the world; `nil` inside.
  ///
  /// Called inside `resume()`, where the caller's queue isn't the current one.
  var outsider: Outsider? { get }

  /// Whether the calling code runs on a queue whose blocks belong to the world.
  var isOnAttachedQueue: Bool { get }

  /// The place of the calling code, if reports need that of the request which it makes.
  var site: (any WorkSite)? { get }

  /// Notes that a request was made.
  ///
  /// - Parameters:
  ///   - start: Its first event.
  ///   - request: Its number.
  ///   - outsider: The code outside the world that started it.
  ///   - site: Where its task was made.
  func noteStart(
    _ start: Timeline.Event, of request: Int, by outsider: Outsider?, madeAt site: (any WorkSite)?)

  /// Notes a request that was made after the end of the world.
  func noteLate(_ summary: String)
}

/// Code outside a world that made a request.
package struct Outsider: Sendable {
  /// The identity of its task; `nil` if it isn't a task.
  package let task: String?

  /// Where it is.
  package let site: (any WorkSite)?

  /// The label of its thread.
  package let label: String?

  package init(task: String?, site: (any WorkSite)?, label: String?) {
    (self.task, self.site, self.label) = (task, site, label)
  }
}
