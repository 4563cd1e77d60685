/// Other times for what a test decides: a move, or several in an array.
///
/// ```swift
/// withWorld(moving: "GET /search?q=sw to 300ms") { world in … }
/// withWorld(moving: ["action 1 to 200ms", "action 2 to never"]) { world in … }
/// ```
///
/// The words before `to` are an address. It doesn't depend on the order in which things happen,
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
/// | `taps value 3` | the third value of a source: `world.hot("…", as: "taps")`, or `cold` |
/// | `taps value 3 copy 1` | one more value like the third, which only the move makes |
/// | `the end of taps` | its completion |
/// | `input 1 value 3` | the third value of the first source, if it has no name |
///
/// For the second subscription to a cold source, add `#2`. A second source of the same name is
/// `taps #2`, as in `taps #2 value 3`. If the stubs have several hosts, the
/// host stands before the path: `GET api.example.com/search?q=sw`.
///
/// In a run with moves, a stub's last response serves all further requests, and stubs may be left
/// over, because a move can lead to more requests or fewer.
public struct Moves: Hashable, Sendable {
  /// The moves, such as `action 2 to never`.
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
