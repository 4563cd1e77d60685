import Foundation
import Streams
import TestSupport
import Testing
import VirtualTime

struct ThreadTests {
  @Test func `work from four threads runs once each, in the order of each thread`() {
    let clock = VirtualTimeScheduler()
    let history = History()
    onThreads(4) { thread in
      for index in 0..<500 {
        clock.schedule(after: .milliseconds(index)) {
          history.append("\(clock.now) \(thread)")
        }
      }
    }
    clock.run()
    for thread in 0..<4 {
      #expect(
        history.lines.filter { $0.hasSuffix(" \(thread)") }
          == (0..<500).map { "\(VirtualTime.milliseconds($0)) \(thread)" })
    }
    #expect(history.lines.count == 2_000)
  }

  @Test func `threads may schedule and cancel while another runs work`() {
    let clock = VirtualTimeScheduler()
    let history = History()
    let isDone = Locked(false)
    let background = clock.schedule(
      after: .zero, interval: .nanoseconds(1), tolerance: 0, options: .init(background: true)
    ) {}
    onThreads(4) { thread in
      if thread == 0 {
        while !isDone.withLock({ $0 }) { clock.step() }
        return
      }
      for index in 0..<500 {
        let token = clock.schedule(after: clock.now.advanced(by: 3_600), interval: 1) {
          history.append("never")
        }
        clock.schedule { history.append("\(thread) \(index)") }
        token.cancel()
      }
      if thread == 3 { isDone.withLock { $0 = true } }
    }
    clock.run()
    background.cancel()
    for thread in 1..<4 {
      #expect(
        history.lines.filter { $0.hasPrefix("\(thread) ") } == (0..<500).map { "\(thread) \($0)" })
    }
    #expect(history.lines.count == 1_500)
    #expect(clock.pendingWork == [])
  }

  @Test func `work from another thread is not caused by the action that happens to run`() {
    let clock = VirtualTimeScheduler()
    clock.schedule {
      clock.schedule {}
      onAnotherThread { clock.schedule {} }
    }
    #expect(clock.steps() == ["0.1 #1", "0.2 #2, scheduled by #1", "0.3 #3"])
  }
}
