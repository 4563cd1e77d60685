import Dispatch
import Foundation

extension URLSession {
  /// The queue on which a session on Linux exchanges bytes with servers; `nil` if Foundation has
  /// changed.
  ///
  /// All other work of a session waits for this queue, also a cancellation. While a server sends
  /// faster than the session reads, the queue always has one more block to run, so a task could be
  /// cancelled only after many seconds. Suspend the queue to cancel it at once.
  ///
  /// No public interface leads to the queue, so this looks for two private properties by name.
  /// Without it, failing an endless body takes 1 to 50 s instead of 0.3 s, and making the session's
  /// thread sleep in between only makes it worse. If Foundation changes, this is `nil`: the test
  /// `aSessionHasATransferQueue` fails, and in a flood of bytes cancellations take long, but the
  /// time limit still holds.
  ///
  /// Read this before the session has tasks.
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
