extension String {
  /// The text in one line, or in several if it's long, each about as long as the others. Broken
  /// after a comma or a space, or before a capital letter, if possible.
  var inShortLines: [String] {
    let length = cells
    if length <= 16 { return [self] }
    if length > 36 { return wrapped(at: min(40, max(20, (length + 2) / 3))) }
    let characters = Array(self)
    // The place where both lines are short. After a comma, they may differ by more.
    let breaks = Self.breaks(in: characters).map { place in
      let longer = max(String(characters[..<place]).cells, String(characters[place...]).cells)
      return (
        place: place, length: longer - (characters[..<place].suffix(2) == [",", " "] ? 4 : 0)
      )
    }
    guard let best = breaks.min(by: { $0.length < $1.length }), best.length <= 22 else {
      return wrapped(at: 18)
    }
    return [characters[..<best.place], characters[best.place...]].map {
      String($0).withoutLastSpaces
    }
  }

  /// The text in lines of at most this many characters.
  func wrapped(at width: Int) -> [String] {
    var lines: [String] = []
    var line: [Character] = []
    var used = 0
    for character in self {
      line.append(character)
      used += String(character).cells
      guard used > width, line.count > 1 else { continue }
      let end = Self.lastBreak(in: line) ?? line.count - 1
      lines.append(String(line[..<end]))
      line.removeFirst(end)
      used = String(line).cells
    }
    if !line.isEmpty || lines.isEmpty { lines.append(String(line)) }
    return lines.map { $0.hasSuffix(" ") && $0.contains { $0 != " " } ? $0.withoutLastSpaces : $0 }
  }

  private var withoutLastSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// The places where a text may be broken: after spaces and signs, and before capital letters.
  private static func breaks(in text: [Character]) -> [Int] {
    guard text.count > 1 else { return [] }
    return (1..<text.count).filter { place in
      let (last, next) = (text[place - 1], text[place])
      return last == " " && next != " " || next.isUppercase && last.isLowercase
        || "/,:".contains(last) && next != " "
    }
  }

  /// Where a line that's one character too long breaks; `nil` if it has no good place.
  private static func lastBreak(in line: [Character]) -> Int? {
    let places = breaks(in: line)
    return places.last { line[$0 - 1] == " " } ?? places.last
  }
}
