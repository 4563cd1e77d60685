import VirtualTime

extension MarbleString {
  /// Reads a string in the notation that ``MarbleString`` describes.
  ///
  /// - Parameters:
  ///   - text: The string.
  ///   - frame: How long a frame is: more than 0.
  /// - Throws: The problem, and the character that causes it.
  public init(
    parsing text: String, frame: VirtualTime.Interval = defaultFrame
  ) throws(MarbleSyntaxError) {
    var parser = MarbleParser(text, frame: frame)
    symbols = try parser.parse()
  }
}

/// Reads a marble string from left to right.
private struct MarbleParser {
  private let text: String
  private let frame: VirtualTime.Interval
  private let characters: [Character]
  private var index = 0
  /// The moment of the next symbol.
  private var time = VirtualTime.zero
  private var symbols: [MarbleString.Placed] = []
  private var group: Group?

  /// A group that isn't closed yet.
  private struct Group {
    let index: Int
    let time: VirtualTime
  }

  init(_ text: String, frame: VirtualTime.Interval) {
    self.text = text
    self.frame = frame
    characters = Array(text)
  }

  mutating func parse() throws(MarbleSyntaxError) -> [MarbleString.Placed] {
    guard frame > .zero else { throw error("a frame of \(frame) is too short, so make it longer") }
    while index < characters.count { try readNext() }
    if let group { throw error("the group isn't closed, so add `)`", at: group.index) }
    return symbols
  }

  private mutating func readNext() throws(MarbleSyntaxError) {
    let character = characters[index]
    if character.isWhitespace {
      index += 1
    } else if character == "-" {
      guard group == nil else {
        throw error("a group is one instant, so close it with `)` before the `-`")
      }
      try pass(frame)
    } else if character == "(" {
      guard group == nil else { throw error("a group can't be in another group") }
      group = Group(index: index, time: time)
      try pass(frame)
    } else if character == ")" {
      guard let group else { throw error("this closes no group, so add `(` before it") }
      guard characters[group.index + 1..<index].contains(where: { !$0.isWhitespace }) else {
        throw error("the group is empty, so remove it", at: group.index)
      }
      self.group = nil
      try pass(frame)
    } else if character == "@" {
      try readMoment()
    } else if let literal = TimeLiteral(characters[index...]) {
      try check(literal, from: index)
      let span = try length(of: literal)
      try pass(span, characters: literal.count)
    } else if let symbol = MarbleString.Symbol(character) {
      symbols.append(MarbleString.Placed(symbol, at: group?.time ?? time))
      try pass(frame)
    }
  }

  /// Reads `@12ms`.
  private mutating func readMoment() throws(MarbleSyntaxError) {
    let isNegative = characters[(index + 1)...].first == "-"
    let start = index + (isNegative ? 2 : 1)
    guard let literal = TimeLiteral(characters[start...]) else {
      throw error("`@` needs a time, such as `@12ms`")
    }
    try check(literal, from: start)
    let span = try length(of: literal)
    let moment = VirtualTime.zero.advanced(by: isNegative ? .zero - span : span)
    if let last = symbols.last, moment < last.time {
      throw error("this goes back from \(last.time) to \(moment)")
    }
    time = moment
    index = start + literal.count
  }

  private func check(
    _ literal: TimeLiteral, from start: Int
  ) throws(MarbleSyntaxError) {
    guard group == nil else {
      throw error("a group is one instant, so write the time after `)`")
    }
    let before = index == 0 ? nil : characters[index - 1]
    let after = characters[(start + literal.count)...].first
    guard before?.isWhitespace ?? true, after?.isWhitespace ?? true else {
      let literal = String(characters[start..<start + literal.count])
      throw error(
        "put spaces around the time `\(literal)`, or between the values if it isn't a time")
    }
  }

  private func length(of literal: TimeLiteral) throws(MarbleSyntaxError) -> VirtualTime.Interval {
    switch literal.length {
    case .exact(let span): return span
    case .tooFine: throw error("the time is finer than a nanosecond, so round it")
    case .tooLong: throw error("the time is too long: the clock ends after 292 years")
    }
  }

  /// Lets time pass, and goes on behind the character or characters that said so.
  private mutating func pass(
    _ span: VirtualTime.Interval, characters count: Int = 1
  ) throws(MarbleSyntaxError) {
    time = time.advanced(by: span)
    guard time != .max else { throw error("this is too late: the clock ends after 292 years") }
    index += count
  }

  private func error(_ problem: String, at column: Int? = nil) -> MarbleSyntaxError {
    MarbleSyntaxError(problem: problem, marbles: text, column: column ?? index)
  }
}

/// A time at the start of some characters, such as `1.5s`.
private struct TimeLiteral {
  enum Length {
    case exact(VirtualTime.Interval)
    case tooFine
    case tooLong
  }

  let length: Length

  /// How many characters it has.
  let count: Int

  /// Nanoseconds have no fraction, so a unit with n zeros allows n digits after the point.
  private static let units: [(name: String, zeros: Int, factor: Int64)] = [
    ("ns", 0, 1), ("us", 3, 1), ("ms", 6, 1), ("s", 9, 1), ("m", 9, 60),
  ]

  init?(_ characters: ArraySlice<Character>) {
    let isDigit = { (character: Character) in ("0"..."9").contains(character) }
    let whole = characters.prefix(while: isDigit)
    guard !whole.isEmpty else { return nil }
    var rest = characters[whole.endIndex...]
    var fraction: ArraySlice<Character> = []
    if rest.first == "." {
      fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest[fraction.endIndex...]
    }
    guard let unit = Self.units.first(where: { rest.starts(with: $0.name) }) else { return nil }
    count = rest.startIndex - characters.startIndex + unit.name.count
    let significant = fraction.reversed().drop { $0 == "0" }.reversed()
    guard significant.count <= unit.zeros else {
      length = .tooFine
      return
    }
    let zeros = String(repeating: "0", count: unit.zeros - significant.count)
    let (product, overflow) = (Int64(String(whole + significant) + zeros) ?? .max)
      .multipliedReportingOverflow(by: unit.factor)
    length = overflow || product == .max ? .tooLong : .exact(.nanoseconds(Int(product)))
  }
}
