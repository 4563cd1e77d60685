import Dispatch

/// The mark of the main queue.
///
/// On Linux `DispatchQueue.main` is a new object each time, so it can't be compared. And code that
/// runs on the main queue may be on any thread: Swift Testing gives up the main thread.
package enum MainQueueMark {
  private static let key = DispatchSpecificKey<Bool>()

  // Set once, because replacing the mark would release it under its readers.
  private static let isSet: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  static func set() { isSet }

  package static func isOn(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: key) != nil }

  /// Whether the calling code runs on the main queue.
  package static var isHere: Bool {
    isSet
    return DispatchQueue.getSpecific(key: key) != nil
  }
}

extension DispatchQueue {
  /// Whether this is the main queue. Only while there is a world.
  var isMain: Bool { MainQueueMark.isOn(self) }
}
