import Foundation
import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// A run as the stage shows it.
struct StageRun: Encodable {
  /// Something that can be moved.
  struct Thing: Encodable {
    let address: String
    let words: String
    /// What an action did first; `nil` if it did nothing that shows, and for all else.
    let deed: String?
    /// The value that a source sends; `nil` for all else.
    let value: String?
    let kind: String
    /// The line of code that decides it; `nil` if the address says enough.
    let place: String?
    // In nanoseconds. A time that never comes is `nil`.
    let usual: Int64
    let time: Int64?
    let earliest: Int64
    let latest: Int64?
  }

  /// A wait of an operator.
  struct Wait: Encodable {
    let lane: String
    let subscription: Int?
    let start: Int64
    let end: Int64
    let ending: String
    let cause: Int?
  }

  let title: String
  let events: [PlayerData.Event]
  let waits: [Wait]
  let things: [Thing]
  /// When the run ended.
  let end: Int64
  /// What a user would notice, for comparison with other runs.
  let outcome: [String]
  /// What the run says about its moves, and what went wrong.
  let problems: [String]
}

extension StageRun {
  init(_ run: World.Outcome, line: Timeline.SourceLine, _ code: inout CodeIndex) {
    let part = run.recording
    title = part.title ?? ""
    events = PlayerData.events(of: part, run.waiting, line: line, &code)
    waits = part.waits.map {
      Wait(
        lane: $0.lane.name, subscription: $0.subscription, start: $0.start.nanoseconds,
        end: $0.end.nanoseconds, ending: $0.ending.rawValue, cause: $0.cause)
    }
    things = run.script.things.map { Thing($0, deed: run.script.deed(of: $0.address)) }
    end = run.end.nanoseconds
    outcome = run.sweepEnding
    problems = run.script.problems + run.problems
  }
}

extension StageRun.Thing {
  init(_ thing: ScriptedThing, deed: String?) {
    self.deed = deed
    (address, words, place, value) = (thing.address, thing.words, thing.place, thing.value)
    kind =
      switch thing.kind {
      case .response: "response"
      case .input: "input"
      case .action: "action"
      }
    usual = thing.usual.nanoseconds
    time = thing.time == .max ? nil : thing.time.nanoseconds
    earliest = thing.range.lowerBound.nanoseconds
    latest = thing.range.upperBound == .max ? nil : thing.range.upperBound.nanoseconds
  }
}
