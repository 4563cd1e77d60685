import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

/// Each session holds two open files, which it gives back when it is released.
@Suite(.serialized) struct SessionReleaseTests {
  enum Ending: CaseIterable {
    case unused, finished, invalidated, afterRequest, finishedWithDelegate, cancelled
  }

  @Test(arguments: Ending.allCases) func aReleasedSessionGivesItsFilesBack(ending: Ending) {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.stub(.get, .example("user"), responses: .text("", after: .seconds(1)).repeating)
    let files = openFiles()
    for _ in 1...500 {
      let delegate = StreamingDelegate(clock)
      let session = network.makeSession(delegate: ending == .unused ? nil : delegate)
      switch ending {
      case .unused: break
      case .finished: session.finishTasksAndInvalidate()
      case .invalidated: session.invalidateAndCancel()
      case .afterRequest, .finishedWithDelegate:
        session.dataTask(with: .example("user")).resume()
        if ending == .finishedWithDelegate { session.finishTasksAndInvalidate() }
      case .cancelled:
        let task = session.dataTask(with: .example("user"))
        task.resume()
        task.cancel()
      }
      clock.run()
    }
    // Other tests of the process run at the same time, so allow for some difference.
    #expect(openFiles() - files < 500)
  }

  private func openFiles() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  @Test func aReleasedSessionFinishesItsTasks() throws {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.stub(.get, .example("user"), responses: .text("Ada", after: .seconds(1)).repeating)
    let delegate = StreamingDelegate(clock)
    weak var session: URLSession?
    do {
      let made = network.makeSession(delegate: delegate)
      made.dataTask(with: .example("user")).resume()
      session = made
    }
    clock.settle()
    #expect(session != nil, "an open task keeps its session")
    clock.run()
    #expect(delegate.lines == ["1s response 200", "1s data Ada", "1s end"])
    #expect(session == nil)
    try network.verify()
  }

  @Test func aFinishedSessionTellsItsDelegateAfterItsTasks() {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.stub(.get, .example("user"), responses: .text("Ada", after: .seconds(1)).repeating)
    let delegates = (1...2).map { _ in StreamingDelegate(clock) }
    do {
      let sessions = delegates.map { network.makeSession(delegate: $0) }
      sessions[0].dataTask(with: .example("user")).resume()
      for session in sessions { session.finishTasksAndInvalidate() }
    }
    clock.settle()
    #expect(delegates.map(\.lines) == [[], ["0 invalid"]])
    clock.run()
    #expect(delegates[0].lines == ["1s response 200", "1s data Ada", "1s end", "1s invalid"])
  }

  /// The session may be told by itself, or by the network.
  @Test(arguments: [false, true], [false, true])
  func aDelegateIsToldOnceThatItsSessionHasEnded(cancels: Bool, settles: Bool) {
    for _ in 1...100 {
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      network.stub(.get, .example("user"), responses: .text("Ada", after: .seconds(1)))
      let delegate = StreamingDelegate(clock)
      let session = network.makeSession(delegate: delegate)
      session.dataTask(with: .example("user")).resume()
      if settles { clock.settle() }
      if cancels { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
      network.invalidate()
      #expect(delegate.lines.count { $0 == "0 invalid" } == 1)
      #expect(delegate.lines.count { $0.hasPrefix("0 error") } == 1)
      #expect(session.delegate == nil)
    }
  }

  @Test func settlingWaitsForASessionWithoutTasksToEnd() {
    for _ in 1...100 {
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      let delegates = (1...2).map { _ in StreamingDelegate(clock) }
      let sessions = delegates.map { network.makeSession(delegate: $0) }
      sessions[0].finishTasksAndInvalidate()
      sessions[1].invalidateAndCancel()
      clock.settle()
      #expect(delegates.map(\.lines) == [["0 invalid"], ["0 invalid"]])
    }
  }

  /// As in a real session on Linux: a session keeps its delegate while it lives, and until it is
  /// invalidated.
  @Test func aSessionKeepsItsDelegateUntilItIsInvalidated() {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    weak var delegate: StreamingDelegate?
    let session = {
      let made = StreamingDelegate(clock)
      delegate = made
      return network.makeSession(delegate: made)
    }()
    clock.settle()
    #expect(delegate != nil)
    session.invalidateAndCancel()
    clock.settle()
    #expect(delegate == nil)
  }
}
