import Foundation
import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// A run as the stage shows it. Times are in nanoseconds.
struct StageRun: Encodable {
  /// Something that can be moved.
  struct Thing: Hashable, Encodable {
    let address: String
    let words: String
    /// What an action did first; `nil` if it did nothing that shows, and for all else.
    let deed: String?
    /// The value that a source sends; `nil` for all else.
    let value: String?
    let kind: ScriptedThing.Kind
    /// The line of code that decides it; `nil` if the address says enough.
    let place: String?
    /// The source of an input; `nil` for all else.
    let source: String?
    // A time that never comes is `nil`.
    let usual: Int64
    private(set) var time: Int64?
    private(set) var earliest: Int64
    private(set) var latest: Int64?
  }

  /// A wait of an operator.
  struct Wait: Hashable, Encodable {
    let lane: String
    let subscription: Int?
    fileprivate(set) var start: Int64
    fileprivate(set) var end: Int64
    let ending: String
  }

  private(set) var events: [StageEvent]
  private(set) var waits: [Wait]
  private(set) var things: [Thing] = []
  /// When the run ended.
  private(set) var end: Int64
  /// What a user would notice, for comparison with other runs.
  private(set) var outcome: [String] = []
  /// What the run says about its moves, and what went wrong.
  private(set) var problems: [String] = []

  /// Moves the times out, so that what's left is equal in runs that differ in times only.
  mutating func moveTimes(to times: inout [Int64]) {
    end.move(to: &times)
    for index in events.indices { events[index].moveTimes(to: &times) }
    for index in waits.indices {
      waits[index].start.move(to: &times)
      waits[index].end.move(to: &times)
    }
    for index in things.indices { things[index].moveTimes(to: &times) }
  }
}

extension StageRun {
  /// A run of a part.
  ///
  /// - Parameter tellsStates: Whether it tells what's going on after each event.
  init(
    _ run: World.Outcome, line: Timeline.SourceLine, tellsStates: Bool = true,
    _ code: inout CodeIndex
  ) {
    self.init(run.recording, tellsStates ? run.waiting : nil, line: line, &code)
    things = run.script.things.map { Thing($0, deed: run.script.deed(of: $0.address)) }
    end = run.end.nanoseconds
    outcome = run.sweepEnding
    problems =
      run.script.problems + run.failures + outcome.filter { $0.hasPrefix("no response: ") }
  }

  /// A record in which nothing can be moved.
  init(
    _ part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments?, line: Timeline.SourceLine,
    _ code: inout CodeIndex
  ) {
    events = StageEvent.events(of: part, waiting, line: line, &code)
    waits = part.waits.map {
      Wait(
        lane: $0.lane.name, subscription: $0.subscription, start: $0.start.nanoseconds,
        end: $0.end.nanoseconds, ending: $0.ending.rawValue)
    }
    end = part.events.last?.time.nanoseconds ?? 0
  }
}

extension StageRun.Thing {
  fileprivate init(_ thing: ScriptedThing, deed: String?) {
    self.deed = deed
    (address, words, place, value) = (thing.address, thing.words, thing.place, thing.value)
    kind = thing.kind
    source = kind == .input ? thing.series : nil
    usual = thing.usual.nanoseconds
    time = thing.time == .max ? nil : thing.time.nanoseconds
    earliest = thing.range.lowerBound.nanoseconds
    latest = thing.range.upperBound == .max ? nil : thing.range.upperBound.nanoseconds
  }

  fileprivate mutating func moveTimes(to times: inout [Int64]) {
    time?.move(to: &times)
    earliest.move(to: &times)
    latest?.move(to: &times)
  }
}
