/// The choices of a run that depart from the usual order.
///
/// It's written as the instants with a departure, and for each of them the picks at its choices:
///
/// ```
/// 600ms:1          at the first choice of 600 ms, take the second candidate
/// 600ms:0,2 1s:1   at the second choice of 600 ms, take the third, and then one more at 1 s
/// ```
///
/// Candidates are numbered from 0, which is the one that runs first in the usual order. Choices
/// that aren't written take it.
///
/// ## What is a choice
///
/// A choice is a moment at which several things could happen next, and a real machine could do
/// either of them first: work due on the clock at one instant that was scheduled at different
/// instants or for different queues, actions that wait for different queues, and signals of
/// different requests.
///
/// These keep their order, because a machine keeps it too: actions for one serial queue, the
/// signals of one request, the values of one source, scripted actions, and timers of one
/// queue that were set at one instant and are due at one instant.
public struct Schedule: Hashable, Sendable {
  /// A choice that doesn't take the usual candidate.
  public struct Departure: Hashable, Sendable {
    /// The instant of the choice.
    public let time: VirtualTime

    /// Its place among the choices of that instant, counted from 0.
    public let choice: Int

    /// The number of the candidate, which isn't 0.
    public let pick: Int
  }

  /// The departures in the order of time.
  public let departures: [Departure]

  /// The usual order.
  public static let usual = Schedule([])

  package init(_ departures: [Departure]) {
    self.departures = departures.sorted { ($0.time, $0.choice) < ($1.time, $1.choice) }
  }

  /// Reads a schedule such as `600ms:0,2 1s:1`.
  ///
  /// - Throws: ``ParsingError`` if the text isn't a schedule.
  public init(parsing text: String) throws(ParsingError) {
    var departures: [Departure] = []
    var last: VirtualTime?
    for word in text.split(separator: " ") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].first?.isNumber == true,
        let time = VirtualTime(parsing: String(parts[0]))
      else {
        throw ParsingError(
          text: String(word), reason: "write an instant and picks, such as 600ms:1")
      }
      guard last.map({ $0 < time }) ?? true else {
        throw ParsingError(
          text: String(word), reason: "write the instants in order, each of them once")
      }
      last = time
      let picks = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      for (choice, pick) in picks.enumerated() {
        guard let number = Int(pick), pick.allSatisfy(\.isNumber) else {
          throw ParsingError(
            text: String(word), reason: "a pick is the number of a candidate, from 0")
        }
        if number > 0 { departures.append(Departure(time: time, choice: choice, pick: number)) }
      }
    }
    self.init(departures)
  }

  /// A text that isn't a schedule.
  public struct ParsingError: Error, Hashable, CustomStringConvertible {
    /// The part that can't be read.
    public let text: String

    /// What's wrong, and what to write.
    public let reason: String

    /// The part and the reason.
    public var description: String { "\(text) isn't part of a schedule: \(reason)" }
  }
}

extension Schedule: CustomStringConvertible {
  /// The schedule as it's written; empty for the usual order.
  public var description: String {
    var instants: [(time: VirtualTime, picks: [Int])] = []
    for departure in departures {
      if instants.last?.time != departure.time { instants.append((departure.time, [])) }
      let missing = departure.choice - instants[instants.count - 1].picks.count
      instants[instants.count - 1].picks += Array(repeating: 0, count: missing) + [departure.pick]
    }
    return instants.map { "\($0.time):\($0.picks.map(String.init).joined(separator: ","))" }
      .joined(separator: " ")
  }
}
