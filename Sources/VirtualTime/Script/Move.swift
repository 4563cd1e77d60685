/// Another time for something that a script decides: `GET /search?q=sw to 300ms`. ``Moves``
/// explains the words before `to`, which are its address.
package struct Move: Hashable, Sendable {
  /// What's moved.
  package let address: String

  /// When it happens, on the clock of the run. With ``VirtualTime/max``, it doesn't.
  package let time: VirtualTime

  /// Makes a move.
  package init(_ address: String, to time: VirtualTime) {
    (self.address, self.time) = (address, time)
  }

  /// Reads a move such as `GET /search?q=sw to 300ms` or `action 2 to never`.
  ///
  /// - Throws: ``ParsingError`` if the text isn't a move.
  package init(parsing text: String) throws(ParsingError) {
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
  package struct ParsingError: Error, Hashable, CustomStringConvertible {
    /// The text.
    package let text: String

    /// What's wrong, and what to write.
    package let reason: String

    /// The text, the reason and an example.
    package var description: String {
      "\"\(text)\" isn't a move: \(reason), such as \"GET /search?q=sw to 300ms\""
    }
  }
}

extension Move: CustomStringConvertible {
  /// The move as it's written.
  package var description: String { "\(address) to \(time)" }
}
