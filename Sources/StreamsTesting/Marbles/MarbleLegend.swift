import Streams
import Timeline
import VirtualTime

/// The letters of values: those that a test gave them, and new ones for all others.
struct MarbleLegend<Output: Equatable> {
  /// The letters and their values, the test's in alphabetical order and then the new ones.
  private(set) var entries: [(letter: Character, value: Output)]

  private var newLetters = NewLetters()

  init(_ values: [Character: Output] = [:]) {
    entries = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the letter of a value, and adds one if it has none.
  mutating func letter(for value: Output) -> Character {
    if let entry = entries.first(where: { $0.value == value }) { return entry.letter }
    let letter = freeLetter(for: value)
    entries.append((letter, value))
    return letter
  }

  /// Returns the marble string of events.
  mutating func marbles<Failure>(of events: [TimedEvent<Output, Failure>]) -> MarbleString {
    MarbleString(events) { letter(for: $0) }
  }

  /// The lines that explain letters in use, in alphabetical order: `a: "Ada"`.
  func lines(for letters: Set<Character>) -> [String] {
    entries.filter { letters.contains($0.letter) }.sorted { $0.letter < $1.letter }
      .map { "\($0.letter): \(shortText(of: $0.value))" }
  }

  private mutating func freeLetter(for value: Output) -> Character {
    // A value of one character, such as a digit, stands for itself.
    let text = stableText(value)
    if text.count == 1, isFree(Character(text)) { return Character(text) }
    while true {
      let letter = newLetters.next()
      // If values are strings, a letter stands for itself when it's read. It's free all the same,
      // because the dictionary comes first.
      if isFree(letter) { return letter }
    }
  }

  private func isFree(_ letter: Character) -> Bool {
    letter.canBeMarble && !entries.contains { $0.letter == letter }
  }
}

/// Letters for values that have none: a to z and A to Z without those that look like another one or
/// a digit, and then those of other alphabets.
private struct NewLetters {
  private static let ascii = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ")
  private var index = 0
  private var scalar: UInt32 = 0x100

  mutating func next() -> Character {
    defer { index += 1 }
    if index < Self.ascii.count { return Self.ascii[index] }
    while true {
      defer { scalar += 1 }
      guard let candidate = Unicode.Scalar(scalar) else { continue }
      // Letters with one form: no marks that join the letter before them.
      if [.lowercaseLetter, .uppercaseLetter, .otherLetter].contains(
        candidate.properties.generalCategory)
      {
        return Character(candidate)
      }
    }
  }
}
