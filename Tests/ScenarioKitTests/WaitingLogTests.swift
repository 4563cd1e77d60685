import Streams
import Testing
import Timeline
import VirtualTime

@testable import ScenarioKit

@Suite struct WaitingLogTests {
  let clock = VirtualTimeScheduler()
  let log = WaitingLog()

  /// The times at which work is due, after each event of a run.
  private func dues(_ body: (Timeline) -> Void) -> [[VirtualTime]] {
    let timeline = Timeline(clock: clock)
    let following = log.follow(timeline, on: clock)
    body(timeline)
    clock.run()
    following.cancel()
    return log.moments.afterEvents.sorted { $0.key < $1.key }.map { $1.work.map(\.pending.due) }
  }

  /// The event comes first, and the code that it leads to schedules afterwards.
  @Test func aListHasTheWorkThatItsEventLedTo() {
    let dues = dues { timeline in
      clock.schedule(after: .milliseconds(100)) { [clock] in
        timeline.record(.value("a"), in: "lane")
        clock.schedule(after: .milliseconds(300)) {}
      }
    }
    #expect(dues == [[.milliseconds(300)]])
  }

  @Test func eventsOfOneInstantHaveTheirOwnLists() {
    let dues = dues { timeline in
      clock.schedule(after: .milliseconds(100)) { [clock] in
        timeline.record(.value("a"), in: "lane")
        clock.schedule(after: .milliseconds(300)) {}
        timeline.record(.value("b"), in: "lane")
        clock.schedule(after: .milliseconds(200)) {}
        timeline.record(.value("c"), in: "lane")
      }
    }
    #expect(
      dues == [
        [.milliseconds(300)], [.milliseconds(200), .milliseconds(300)],
        [.milliseconds(200), .milliseconds(300)],
      ])
  }

  /// Work that ran later, without an event, was still waiting when the event happened.
  @Test func aListStaysAsItWasAtItsInstant() {
    let dues = dues { timeline in
      clock.schedule(after: .milliseconds(100)) { timeline.record(.value("a"), in: "lane") }
      clock.schedule(after: .milliseconds(200)) {}
      clock.schedule(after: .milliseconds(300)) { timeline.record(.value("b"), in: "lane") }
    }
    #expect(dues == [[.milliseconds(200), .milliseconds(300)], []])
  }

  /// A page shows the first ones, and how many more there are.
  @Test func longListsAreCut() {
    let dues = dues { timeline in
      clock.schedule(after: .milliseconds(100)) { [clock] in
        timeline.record(.value("a"), in: "lane")
        for delay in 1...9 { clock.schedule(after: .milliseconds(100 + delay)) {} }
      }
    }
    #expect(dues == [(1...6).map { .milliseconds(100 + $0) }])
    #expect(log.moments.afterEvents.values.map(\.workLeftOut) == [3])
  }
}
