import Streams
import VirtualTime

extension MarbleString {
  /// The events that the string stands for.
  ///
  /// - Parameters:
  ///   - values: The values of the letters. If values are strings, a letter that isn't a key stands
  ///     for itself.
  ///   - failure: The error that `#` stands for.
  /// - Throws: If a letter has no value, or if the string has a `#` and `failure` is `nil`.
  func events<Output, Failure: Error>(
    _ values: [Character: Output], failure: Failure?
  ) throws(UnknownSymbol) -> [TimedEvent<Output, Failure>] {
    var events: [TimedEvent<Output, Failure>] = []
    for placed in symbols {
      let kind: TimedEvent<Output, Failure>.Kind =
        switch placed.symbol {
        case .value(let letter): .value(try value(of: letter, in: values))
        case .finished: .finished
        case .failure: .failure(try error(failure))
        case .subscription: .subscription
        case .cancelled: .cancelled
        }
      events.append(TimedEvent(kind, at: placed.time))
    }
    return events
  }

  private func value<Output>(
    of letter: Character, in values: [Character: Output]
  ) throws(UnknownSymbol) -> Output {
    if let value = values[letter] ?? String(letter) as? Output { return value }
    throw UnknownSymbol(
      problem: "`\(letter)` stands for no value, so add it: [\"\(letter)\": …]", character: letter)
  }

  private func error<Failure: Error>(_ failure: Failure?) throws(UnknownSymbol) -> Failure {
    if let failure { return failure }
    throw UnknownSymbol(
      problem: Failure.self == Never.self
        ? "`#` is a failure, but the stream can't fail"
        : "`#` stands for no error, so pass one: failure: …",
      character: "#")
  }

  /// A symbol without a meaning.
  struct UnknownSymbol: Error {
    let problem: String
    let character: Character
  }
}

extension MarbleString {
  /// Reads a string and gives its symbols a meaning.
  static func events<Output, Failure: Error>(
    in text: String, _ values: [Character: Output], failure: Failure?,
    frame: VirtualTime.Interval
  ) throws(MarbleSyntaxError) -> [TimedEvent<Output, Failure>] {
    if let key = values.keys.sorted().first(where: { !$0.canBeMarble }) {
      throw MarbleSyntaxError(
        problem: "`\(key)` can't stand for a value, so choose another letter", marbles: text,
        column: text.firstOffset(of: key))
    }
    let marbles = try MarbleString(parsing: text, frame: frame)
    do {
      return try marbles.events(values, failure: failure)
    } catch {
      throw MarbleSyntaxError(
        problem: error.problem, marbles: text, column: text.firstOffset(of: error.character))
    }
  }
}

extension String {
  fileprivate func firstOffset(of character: Character) -> Int {
    firstIndex(of: character).map { distance(from: startIndex, to: $0) } ?? 0
  }
}
