import Foundation
import Streams
import TestSupport
import Testing

@Suite struct ImmediateSchedulerTests {
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  let log = CallLog()
  let scheduler = ImmediateScheduler.shared

  @Test func runsEachActionOnceInTheCallThatSchedulesIt() {
    scheduler.schedule { [log] in log.append("now") }
    log.append("scheduled")
    scheduler.schedule(after: scheduler.now.advanced(by: 5)) { [log] in log.append("after") }
    log.append("scheduled")
    scheduler.schedule(after: scheduler.now, tolerance: 1) { [log] in log.append("tolerant") }
    log.append("scheduled")
    let first = scheduler.schedule(after: scheduler.now, interval: 1) { [log] in
      log.append("repeating")
    }
    log.append("scheduled")
    let second = scheduler.schedule(after: scheduler.now, interval: 1, tolerance: 1) { [log] in
      log.append("repeating")
    }
    first.cancel()
    second.cancel()
    #expect(
      log.lines == [
        "now", "scheduled", "after", "scheduled", "tolerant", "scheduled", "repeating", "scheduled",
        "repeating",
      ])
  }

  @Test func anActionInsideAnActionNests() {
    scheduler.schedule { [log, scheduler] in
      scheduler.schedule { log.append("inner") }
      log.append("outer")
    }
    #expect(log.lines == ["inner", "outer"])
  }

  @Test func hasOneMoment() {
    let later = scheduler.now.advanced(by: .seconds(3))
    #expect(later == scheduler.now)
    #expect(!(scheduler.now < later))
    #expect(scheduler.now.distance(to: later) == 0)
    #expect(scheduler.minimumTolerance == 0)
  }

  @Test func everyTimeUnitHasLengthZero() {
    let units: [Stride] = [
      .seconds(1), .seconds(1.5), .milliseconds(1), .microseconds(1), .nanoseconds(1),
    ]
    #expect(units == [0, 0, 0, 0, 0])
  }

  @Test func calculatesWithTheMagnitudesOfSpans() throws {
    #expect(Stride(7).magnitude == 7)
    #expect(Stride(floatLiteral: 7.9) == 7)
    #expect(Stride(exactly: UInt8(7)) == 7)
    #expect(Stride(exactly: UInt.max) == nil)
    #expect(Stride(3) < 4)
    #expect([Stride(7) + 2, Stride(7) - 2, Stride(7) * 2, -Stride(7)] == [9, 5, 14, -7])
    var span: Stride = 7
    span += 3
    span -= 1
    span *= 2
    #expect(span == 18)
    let data = try JSONEncoder().encode(span)
    #expect(String(decoding: data, as: UTF8.self) == #"{"magnitude":18}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: data) == span)
  }
}
