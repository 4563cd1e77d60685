import Foundation
import Streams

/// A time type that counts by the calendar: that of `RunLoop` or of `OperationQueue`.
package protocol CalendarTime {
  /// The moment.
  var date: Date { get }

  /// Makes a moment.
  init(_ date: Date)
}

extension CalendarTime {
  /// The present moment. In a world, that's the time of its clock, which starts at the reference
  /// date.
  static var present: Self {
    guard let backend = SchedulingScope.backend else { return Self(Date()) }
    return Self(nanosecondsOfWorld: backend.now)
  }

  /// Makes the moment that many nanoseconds after the start of a world.
  package init(nanosecondsOfWorld: Int64) {
    self.init(Date(timeIntervalSinceReferenceDate: TimeInterval(nanosecondsOfWorld) / 1e9))
  }

  /// The nanoseconds since the start of a world; the largest number for the distant future.
  package var nanosecondsOfWorld: Int64 { date.timeIntervalSinceReferenceDate.nanoseconds }
}

extension TimeInterval {
  /// The span in whole nanoseconds of a world, or the longest one that fits.
  var nanoseconds: Int64 {
    guard !isNaN else {
      SchedulingScope.refuseNaN()
      return 0
    }
    let count = (self * 1e9).rounded()
    return Int64(exactly: count) ?? (count < 0 ? .min : .max)
  }
}
