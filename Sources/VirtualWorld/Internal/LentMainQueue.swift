import Foundation
import Streams
import StreamsFoundation

/// The main queue, while the code on it waits for other code that a world runs elsewhere.
///
/// That code may itself have work for the main queue, such as a task off the main actor that calls
/// `world.run()`. The code that waits runs this work.
package final class LentMainQueue: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isReturned = false
  }

  private static let key = "LentMainQueue"

  private let state = Locked(State())
  private let turn = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs a body on a queue, and serves as the main queue until it returns. Call it on the main
  /// queue.
  static func wait(for body: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
    let main = LentMainQueue()
    queue.async {
      let outer = Thread.current.threadDictionary[key]
      Thread.current.threadDictionary[key] = main
      body()
      Thread.current.threadDictionary[key] = outer
      main.state.withLock { $0.isReturned = true }
      main.turn.signal()
    }
    main.serve()
  }

  /// Runs a body on the main queue, and waits for it. Don't call it on the main queue.
  package static func sync(_ body: @escaping @Sendable () -> Void) {
    guard let main = Thread.current.threadDictionary[key] as? LentMainQueue else {
      return DispatchQueue.main.sync(execute: body)
    }
    let isDone = DispatchSemaphore(value: 0)
    main.state.withLock { state in
      state.work.append {
        body()
        isDone.signal()
      }
    }
    main.turn.signal()
    isDone.wait()
  }

  private func serve() {
    while true {
      turn.wait()
      let (work, isReturned) = state.withLock { state in
        defer { state.work = [] }
        return (state.work, state.isReturned)
      }
      for body in work { body() }
      if isReturned { return }
    }
  }
}
