import VirtualTime

/// A stream as a string of marbles, in the notation of RxJS.
///
/// ```
/// -a-b|             a value at 1 ms, another at 3 ms, finished at 4 ms
/// -a-#              a failure at 3 ms
/// (ab)--c           two values at one instant, and one at 6 ms
/// a 1.5s b          a value at once, and one 1.501 s later
/// ---^--!           subscribed at 3 ms, cancelled at 6 ms
/// (ab) @1ms c       two values at one instant, and one at 1 ms
/// ```
///
/// - `-`: one frame passes, which is 1 ms unless you say otherwise.
/// - A letter, a digit or another character: a value. After it and each of the next symbols, one
///   frame passes.
/// - `|`: the stream finished.
/// - `#`: the stream failed.
/// - `^` and `!`: the subscriber subscribed, and it cancelled.
/// - `(ab)`: all at the instant of `(`. Then a frame passes for each character, `(` and `)` too.
/// - `10ms`, `1.5s`, `2m`: that much time passes. The units are `ns`, `us`, `ms`, `s` and `m`.
/// - `@12ms`: the next symbol is at exactly 12 ms, counted from the start of the string.
/// - A space: nothing. It aligns strings, and separates times from values.
///
/// A time has spaces around it. `@` is the one symbol that RxJS doesn't have. It reaches moments
/// that frames can't, such as 1 ms after `(ab)`, or half a frame after a value.
///
/// `Marbles` is another format. It has a row for each lane of a `Timeline` and a column for
/// each instant, not to scale, for people to read. A marble string is one stream in a string
/// literal, to scale, that you write in a test.
public struct MarbleString: Hashable, Sendable {
  /// One symbol.
  public enum Symbol: Hashable, Sendable {
    /// A value: any character that means nothing else.
    case value(Character)
    /// The stream finished: `|`.
    case finished
    /// The stream failed: `#`.
    case failure
    /// The subscription: `^`.
    case subscription
    /// The cancellation: `!`.
    case cancelled
  }

  /// A symbol at its moment, counted from the start of the string.
  public struct Placed: Hashable, Sendable {
    /// The symbol.
    public let symbol: Symbol

    /// The moment, counted from the start of the string.
    public let time: VirtualTime

    /// Places a symbol at a moment.
    public init(_ symbol: Symbol, at time: VirtualTime) {
      self.symbol = symbol
      self.time = time
    }
  }

  /// How long a frame is unless you say otherwise: one millisecond.
  public static let defaultFrame = VirtualTime.Interval.milliseconds(1)

  /// The symbols in order of time. Those of one instant keep their order.
  public let symbols: [Placed]

  /// Makes a marble string from symbols. They're sorted by time.
  public init(_ symbols: [Placed]) { self.symbols = symbols.sortedByTime(\.time) }

  /// Makes a marble string from events, such as those of a recorder.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - letter: The character that stands for a value. One that means something else, such as
  ///     `-`, stops the program.
  public init<Output, Failure>(
    _ events: [TimedEvent<Output, Failure>], letter: (Output) -> Character
  ) {
    self.init(
      events.map { event in
        let symbol: Symbol =
          switch event.kind {
          case .value(let value): .value(checked(letter(value)))
          case .finished: .finished
          case .failure: .failure
          case .subscription: .subscription
          case .cancelled: .cancelled
          }
        return Placed(symbol, at: event.time)
      })
  }

  /// Makes the marble string of a subscription: `^`, and then `!` if the subscriber cancelled, or
  /// `|` if it received the completion.
  public init(_ subscription: TimedSubscription) { self.init(subscription.symbols) }

  /// The string, in the notation that ``init(parsing:frame:)`` reads.
  ///
  /// A gap of up to ten frames is drawn as dashes, and any other as a time. Reading the text with
  /// the same frame gives these symbols again.
  ///
  /// - Parameter frame: How long a frame is: more than 0.
  public func text(frame: VirtualTime.Interval = defaultFrame) -> String {
    MarbleLayout([self], frame: frame).rows[0]
  }
}

private func checked(_ letter: Character) -> Character {
  precondition(
    letter.canBeMarble, "`\(letter)` can't stand for a value, so choose another letter")
  return letter
}

extension MarbleString.Symbol: CustomStringConvertible {
  /// The letter of a value, or the name of the event, such as `finished`.
  public var description: String {
    switch self {
    case .value(let letter): "\(letter)"
    case .finished: "finished"
    case .failure: "failure"
    case .subscription: "subscription"
    case .cancelled: "cancelled"
    }
  }
}

extension MarbleString.Symbol {
  /// The character that stands for the symbol.
  var character: Character {
    switch self {
    case .value(let letter): letter
    case .finished: "|"
    case .failure: "#"
    case .subscription: "^"
    case .cancelled: "!"
    }
  }

  /// The symbol of a character; `nil` for those that pass time or make groups.
  init?(_ character: Character) {
    switch character {
    case "|": self = .finished
    case "#": self = .failure
    case "^": self = .subscription
    case "!": self = .cancelled
    case "-", "(", ")", "@": return nil
    case _ where character.isWhitespace: return nil
    default: self = .value(character)
    }
  }
}

extension Character {
  /// Whether this can stand for a value: it means nothing else, and doesn't join the characters
  /// next to it, as an accent without a letter does.
  var canBeMarble: Bool {
    MarbleString.Symbol(self) == .value(self) && "-\(self)\(self)-".count == 4
  }
}

extension Array {
  /// The elements in order of time. Elements of one instant keep their order.
  func sortedByTime(_ time: (Element) -> VirtualTime) -> [Element] {
    enumerated().sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }
      .map(\.element)
  }
}
