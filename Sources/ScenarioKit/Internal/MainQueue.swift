import Dispatch
import Foundation

/// The state of the main queue, seen from outside.
///
/// On Linux, a run loop serves Dispatch's main queue. An event descriptor tells the loop about work:
/// it's readable exactly when the queue holds blocks that are due. Dispatch's headers don't declare
/// it, but Foundation relies on it. If it changes, the fixture `every-queue` shows blocks too late, or
/// not at all.
enum MainQueue {
  /// Whether the queue holds blocks that it would run now. Read it on the main thread.
  static var holdsBlocks: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  private static let descriptor: Int32 = {
    guard let symbol = dlsym(nil, "_dispatch_get_main_queue_handle_4CF") else {
      preconditionFailure("this Dispatch doesn't tell whether its main queue holds blocks")
    }
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
  }()
}
