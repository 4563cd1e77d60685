import Timeline
import VirtualTime

/// A moment of a run, as `--until` names it.
enum Moment: Hashable, Sendable {
  /// When everything of an instant has happened. The answer has the unit of the question.
  case time(VirtualTime, in: TimeUnit = .milliseconds)
  /// After an event, by its number.
  case event(Int)

  /// Reads a moment such as `600ms` or `event 12`; `nil` if the text is none.
  init?(parsing text: String) {
    if let time = VirtualTime(parsing: text), time != .max, time >= .zero {
      self = .time(time, in: TimeUnit(of: text))
    } else if text.hasPrefix("event "), text.dropFirst(6).allSatisfy(\.isNumber),
      let number = Int(text.dropFirst(6)), number > 0
    {
      self = .event(number)
    } else {
      return nil
    }
  }

  /// The position of the last event up to this moment, in the events of a part; `nil` if nothing
  /// has happened yet.
  ///
  /// - Throws: `ExplanationError` if the part doesn't have the event.
  func position(
    in part: Timeline.Recording.Part
  ) throws(Timeline.ExplanationError) -> Int? {
    switch self {
    case .time(let time, _): return part.events.lastIndex { $0.time <= time }
    case .event(let number):
      guard let position = part.events.firstIndex(where: { $0.number == number }) else {
        throw Timeline.ExplanationError(missing: number, in: part)
      }
      return position
    }
  }
}
