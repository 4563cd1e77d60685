import Dispatch
import Foundation

extension URLSession {
  /// The queue on which a session on Linux exchanges bytes with servers; `nil` if Foundation has
  /// changed, and a test tells.
  ///
  /// All other work of a session waits for this queue, also a cancellation. While a server sends
  /// faster than the session reads, the queue always has one more block to run, so a task could be
  /// cancelled only after many seconds. Suspend the queue to cancel it at once.
  ///
  /// No public interface leads to the queue. Read this before the session has tasks.
  var transferQueue: DispatchQueue? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      if let handle = level.children.first(where: { $0.label == "multiHandle" })?.value {
        return Mirror(reflecting: handle).children.first { $0.label == "queue" }?.value
          as? DispatchQueue
      }
      mirror = level.superclassMirror
    }
    return nil
  }
}
