/// Another time for something that a script decides: `GET /search?q=sw to 300ms`.
///
/// The words before `to` are its address. It doesn't depend on the order in which things happen,
/// except that requests of the same address are numbered as they're made:
///
/// | Address | What it is |
/// | --- | --- |
/// | `GET /search?q=sw` | the response to the first request with this method, path and query |
/// | `GET /search?q=sw #2` | the response to the second one |
/// | `chunk 2 of GET /song` | a chunk that comes later than the one before |
/// | `the end of GET /song` | the end of the body, if it comes later than the last chunk |
/// | `action 2` | the second call of `World.at` |
/// | `action 2.1` | the first call of `World.at` inside that action |
/// | `input 1 value 3` | the third value of the first `hot` or `cold` source |
/// | `the end of input 1` | its completion |
///
/// For the second subscription to a cold source, add `#2`. If the stubs have several hosts, the
/// host stands before the path: `GET api.example.com/search?q=sw`.
///
/// In a run with moves, a stub's last response serves all further requests, and stubs may be left
/// over, because a move can lead to more requests or fewer.
public struct Move: Hashable, Sendable {
  /// What's moved.
  public let address: String

  /// When it happens, on the clock of the run. With ``VirtualTime/max``, it doesn't.
  public let time: VirtualTime

  /// Makes a move.
  public init(_ address: String, to time: VirtualTime) {
    (self.address, self.time) = (address, time)
  }

  /// Reads a move such as `GET /search?q=sw to 300ms` or `action 2 to never`.
  ///
  /// - Throws: ``ParsingError`` if the text isn't a move.
  public init(parsing text: String) throws(ParsingError) {
    let words = text.split(separator: " ")
    guard words.count > 2, words[words.count - 2] == "to" else {
      throw ParsingError(text: text, reason: "write what to move, `to` and a time")
    }
    guard let time = VirtualTime(parsing: String(words[words.count - 1])), time >= .zero else {
      throw ParsingError(
        text: text, reason: "after `to` comes a time in s, ms, us or ns, or `never`")
    }
    self.init(words.dropLast(2).joined(separator: " "), to: time)
  }

  /// A text that isn't a move.
  public struct ParsingError: Error, Hashable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// What's wrong, and what to write.
    public let reason: String

    /// The text, the reason and an example.
    public var description: String {
      "\"\(text)\" isn't a move: \(reason), such as \"GET /search?q=sw to 300ms\""
    }
  }
}

extension Move: CustomStringConvertible {
  /// The move as it's written.
  public var description: String { "\(address) to \(time)" }
}

/// Moves as they're written in a test: a string, or several in an array.
///
/// ```swift
/// withWorld(moving: "GET /search?q=sw to 300ms") { world in … }
/// withWorld(moving: ["action 1 to 200ms", "action 2 to never"]) { world in … }
/// ```
public struct Moves: Hashable, Sendable {
  /// The moves; see ``Move/init(parsing:)``.
  public let texts: [String]

  /// Makes a list of moves, which are read when a world begins.
  public init(_ texts: [String]) { self.texts = texts }
}

extension Moves: ExpressibleByStringInterpolation {
  /// Makes a list of one move.
  public init(stringLiteral value: String) { texts = [value] }
}

extension Moves: ExpressibleByArrayLiteral {
  /// Makes a list of moves.
  public init(arrayLiteral elements: String...) { texts = elements }
}
