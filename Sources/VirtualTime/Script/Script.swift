import Streams

/// Something that the script of a run decides, and when.
package struct ScriptedThing: Hashable, Sendable {
  /// The kinds of things.
  package enum Kind: String, Hashable, Sendable, Encodable {
    /// A response, or a part of one.
    case response
    /// A value of a source, or its end.
    case input
    /// A scripted action.
    case action
  }

  package let kind: Kind

  /// Its name in a ``Move``.
  package let address: String

  /// What it is in a sentence, such as `the response to GET /user`.
  package let words: String

  /// The place in the code that decides it, such as `line 61`; `nil` if the address says enough.
  package let place: String?

  /// The value that a source sends with it; `nil` for all else.
  package let value: String?

  /// When it would happen without its move; ``VirtualTime/max`` for a copy, which its move makes.
  package let usual: VirtualTime

  /// When it can happen.
  package let range: ClosedRange<VirtualTime>

  /// What it can't come before, such as `its request`, and what it can't come after.
  package let bounds: Bounds

  /// What a thing can't come before, and what it can't come after.
  package struct Bounds: Hashable, Sendable {
    package let start: String
    package let end: String

    package init(after start: String, before end: String = "the end of time") {
      (self.start, self.end) = (start, end)
    }
  }

  /// When it happens.
  package let time: VirtualTime

  /// What keeps its order with it: all actions, or the values of its source; `nil` for a response.
  package var series: String? {
    switch kind {
    case .response: nil
    case .action: "action"
    case .input:
      address.replacing(#/^the end of /#, with: "")
        .replacing(#/ value \d+( copy \d+)?(?=$| #)/#, with: "")
    }
  }

  package init(
    _ kind: Kind, _ address: String, _ words: String, place: String? = nil, value: String? = nil,
    usual: VirtualTime, range: ClosedRange<VirtualTime>, bounds: Bounds, time: VirtualTime
  ) {
    (self.kind, self.value) = (kind, value)
    (self.address, self.words, self.place, self.usual) = (address, words, place, usual)
    (self.range, self.bounds, self.time) = (range, bounds, time)
  }
}

/// What the script of a run decides, and the moves that change its times.
package final class Script: Sendable {
  private struct State {
    var things: [ScriptedThing] = []
    /// How many things have had each name so far.
    var counts: [String: Int] = [:]
    /// The address of the action that runs now.
    var running: String?
    /// What each action did first, by its address.
    var deeds: [String: String] = [:]
  }

  /// The moves of the run.
  package let moves: [Move]
  private let times: [String: VirtualTime]
  private let state = Locked(State())

  package init(_ moves: [Move] = []) {
    self.moves = moves
    times = Dictionary(moves.map { ($0.address, $0.time) }) { first, _ in first }
  }

  /// What the script has decided so far, in that order.
  package var things: [ScriptedThing] { state.withLock { $0.things } }

  /// The name of the next source of values: the one that the program gives it, with a number if
  /// it's there already, or `input 2` for the second source of all.
  package func nameOfInput(_ name: String?) -> String {
    let number = count("input")
    // A move's words have single spaces between them.
    let words = name?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    if words.isEmpty { return "input \(number)" }
    let namesake = count("input called \(words)")
    return namesake == 1 ? words : "\(words) #\(namesake)"
  }

  /// Numbers the next thing with a name: the first one has the name itself.
  package func address(_ name: String) -> String {
    let number = count(name)
    return number == 1 ? name : "\(name) #\(number)"
  }

  /// The address of the next action: `action 2`, or `action 2.1` for the first one that action 2
  /// decides.
  package func addressOfAction() -> String {
    guard let running = state.withLock({ $0.running }) else { return "action \(count("action"))" }
    return "\(running).\(count("of \(running)"))"
  }

  /// Runs the action with an address.
  package func run(_ address: String, _ action: () -> Void) {
    let outer = state.withLock { state in
      defer { state.running = address }
      return state.running
    }
    defer { state.withLock { $0.running = outer } }
    action()
  }

  /// Notes what an action did first, in a few words that tell a reader which one it is.
  package func note(deed: String, of address: String) {
    state.withLock { $0.deeds[address] = deed }
  }

  /// What an action did first; `nil` if it did nothing that shows.
  package func deed(of address: String) -> String? { state.withLock { $0.deeds[address] } }

  /// Counts one more thing with a name.
  ///
  /// - Returns: Its number, from 1.
  package func count(_ name: String) -> Int {
    state.withLock { state in
      state.counts[name, default: 0] += 1
      return state.counts[name, default: 0]
    }
  }

  /// Notes something that's decided, and returns when it happens: when it's moved to, as far as
  /// that's possible.
  ///
  /// - Parameters:
  ///   - kind: Its kind.
  ///   - address: Its address.
  ///   - words: What it is in a sentence.
  ///   - place: The place in the code that decides it.
  ///   - value: The value that a source sends with it.
  ///   - usual: When it happens without a move.
  ///   - range: When it can happen, if it does. A time out of this becomes the nearest one in it.
  ///   - bounds: What it can't come before, and after.
  package func time(
    of kind: ScriptedThing.Kind, _ address: String, _ words: String, place: String? = nil,
    value: String? = nil, usual: VirtualTime,
    in range: ClosedRange<VirtualTime>, bounds: ScriptedThing.Bounds
  ) -> VirtualTime {
    // What doesn't come at all isn't too late for anything.
    let moved = times[address].map {
      $0 == .max ? .max : min(max($0, range.lowerBound), range.upperBound)
    }
    let time = moved ?? usual
    state.withLock {
      $0.things.append(
        ScriptedThing(
          kind, address, words, place: place, value: value, usual: usual, range: range,
          bounds: bounds, time: time))
    }
    return time
  }

  /// Whether a move names something.
  package func moves(_ address: String) -> Bool { times[address] != nil }

  /// The addresses of the copies of a value that moves make, in the order of their numbers: such as
  /// `taps value 3 copy 1`.
  ///
  /// - Parameters:
  ///   - address: The address of the value.
  ///   - suffix: What follows the whole address, such as ` #2`.
  package func copies(of address: String, suffix: String) -> [String] {
    let start = "\(address) copy "
    return times.keys.filter { $0.hasPrefix(start) && $0.hasSuffix(suffix) }
      .compactMap { Int($0.dropFirst(start.count).dropLast(suffix.count)) }
      .filter { $0 > 0 }.sorted().map { "\(start)\($0)\(suffix)" }
      .filter { times[$0] != nil }
  }

  /// One sentence for each move that isn't made as it's written. Ask at the end of the run.
  package var problems: [String] {
    let things = things
    return moves.enumerated().compactMap { index, move in
      if moves[..<index].contains(where: { $0.address == move.address }) {
        return "\"\(move.address)\" is moved twice: move it once"
      }
      guard let thing = things.first(where: { $0.address == move.address }) else {
        return "nothing here is called \"\(move.address)\". " + advice
      }
      guard thing.time != move.time else { return nil }
      let isEarly = move.time < thing.range.lowerBound
      let limit = isEarly ? thing.range.lowerBound : thing.range.upperBound
      let bound = isEarly ? "before \(thing.bounds.start)" : "after \(thing.bounds.end)"
      return
        "\(thing.words) can't come \(bound) at \(limit), "
        + "so it comes at \(thing.time) and not at \(move.time)"
    }
  }

  /// Says what can be moved, if nothing has an address.
  package func problem(ofAddress address: String) -> String? {
    let things = things
    if things.contains(where: { $0.address == address }) { return nil }
    return "nothing here is called \"\(address)\". " + advice
  }

  /// Says what can be moved.
  private var advice: String {
    let things = things
    if things.isEmpty { return "This run decides no times, so there's nothing to move" }
    return
      (["These things can be moved, and this is when they come:"]
      + things.map { thing in
        let place = thing.place.map { " (\($0))" } ?? ""
        let deed = deed(of: thing.address).map { ", \($0)" } ?? ""
        return "  \(thing.address)\(place): \(thing.time)\(deed)"
      }).joined(separator: "\n")
  }

  /// The moves with an address that the run doesn't have.
  package var unknownMoves: [Move] {
    let addresses = Set(things.map(\.address))
    return moves.filter { !addresses.contains($0.address) }
  }
}
