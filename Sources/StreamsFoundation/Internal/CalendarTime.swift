import Foundation
import Streams

/// What the time types of `RunLoop` and `OperationQueue` have in common: they count by the calendar.
protocol CalendarTime {
  var date: Date { get }

  init(_ date: Date)
}

extension CalendarTime {
  /// The present moment. In a world that is the moment of its clock, which started at the reference
  /// date.
  static var present: Self {
    guard let clock = MainThreadTurns.clock else { return Self(Date()) }
    return Self(Date(timeIntervalSinceReferenceDate: TimeInterval(clock.now()) / 1e9))
  }

  var nanosecondsOfWorld: Int64 { date.timeIntervalSinceReferenceDate.nanoseconds }
}

extension TimeInterval {
  /// The span in whole nanoseconds, or the longest there is.
  var nanoseconds: Int64 {
    let count = (self * 1e9).rounded()
    return Int64(exactly: count) ?? (count < 0 ? .min : .max)
  }
}
