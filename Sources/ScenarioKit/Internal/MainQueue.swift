import Dispatch
import Foundation

/// What one can ask the main queue from outside.
///
/// On Linux Dispatch has a run loop serve the main queue, and tells it by an event descriptor that
/// there is something to serve: it can be read exactly when the queue holds blocks that are due.
/// That is not in Dispatch's headers, but it is how Foundation knows. If it changes, the fixture
/// `every-queue` shows blocks too late, or not at all.
enum MainQueue {
  /// Whether there are blocks that the queue would run now; to be asked on the main thread.
  static var holdsBlocks: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  private static let descriptor: Int32 = {
    guard let symbol = dlsym(nil, "_dispatch_get_main_queue_handle_4CF") else {
      preconditionFailure("this Dispatch does not say whether its main queue holds blocks")
    }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
  }()
}
