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
    expectEqual(
      log.lines,
      [
        "now", "scheduled", "after", "scheduled", "tolerant", "scheduled", "repeating", "scheduled",
        "repeating",
      ])
  }

  @Test func anActionInsideAnActionNests() {
    scheduler.schedule { [log, scheduler] in
      scheduler.schedule { log.append("inner") }
      log.append("outer")
    }
    expectEqual(log.lines, ["inner", "outer"])
  }

  @Test func hasOneMoment() {
    let later = scheduler.now.advanced(by: .seconds(3))
    expectEqual(later, scheduler.now)
    #expect(!(scheduler.now < later))
    expectEqual(scheduler.now.distance(to: later), 0)
    expectEqual(scheduler.minimumTolerance, 0)
  }

  @Test func everyTimeUnitHasLengthZero() {
    let units: [Stride] = [
      .seconds(1), .seconds(1.5), .milliseconds(1), .microseconds(1), .nanoseconds(1),
    ]
    expectEqual(units, [0, 0, 0, 0, 0])
  }

  @Test func calculatesWithTheMagnitudesOfSpans() throws {
    expectEqual(Stride(7).magnitude, 7)
    expectEqual(Stride(floatLiteral: 7.9), 7)
    expectEqual(Stride(exactly: UInt8(7)), 7)
    #expect(Stride(exactly: UInt.max) == nil)
    #expect(Stride(3) < 4)
    expectEqual([Stride(7) + 2, Stride(7) - 2, Stride(7) * 2, -Stride(7)], [9, 5, 14, -7])
    var span: Stride = 7
    span += 3
    span -= 1
    span *= 2
    expectEqual(span, 18)
    let data = try JSONEncoder().encode(span)
    expectEqual(String(decoding: data, as: UTF8.self), #"{"magnitude":18}"#)
    expectEqual(try JSONDecoder().decode(Stride.self, from: data), span)
  }
}
