import ScenarioKit

/// Reads a PPM file from front to back.
///
/// The rules are Netpbm's, read strictly: one image a file, and nothing behind it.
struct PPMReader {
  enum Format {
    case text
    case bytes
  }

  /// Keeps the number of samples far from overflowing.
  static let longestSide = 16_384

  private var rest: Data.SubSequence

  init(_ data: Data) { rest = data[...] }

  /// The two characters that the file begins with.
  mutating func format() -> Format? {
    let magic = rest.prefix(2)
    rest = rest.dropFirst(2)
    switch String(decoding: magic, as: UTF8.self) {
    case "P3": return .text
    case "P6": return .bytes
    default: return nil
    }
  }

  /// The next number of the head, after white space and comments.
  mutating func number(in range: ClosedRange<Int>) -> Int? {
    skipSpace(andComments: true) ? digits(in: range) : nil
  }

  private mutating func digits(in range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard let number = Int(String(decoding: digits, as: UTF8.self)), range.contains(number) else {
      return nil
    }
    return number
  }

  /// All samples, up to the end of the file.
  mutating func samples(_ format: Format, count: Int, maximum: Int) -> [Int]? {
    switch format {
    case .text: textSamples(count: count, maximum: maximum)
    case .bytes: byteSamples(count: count, maximum: maximum)
    }
  }

  private mutating func textSamples(count: Int, maximum: Int) -> [Int]? {
    // A sample takes two bytes at least: whatever the head promises, no more is set aside.
    guard rest.count >= 2 * count else { return nil }
    var samples: [Int] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      guard skipSpace(andComments: false), let sample = digits(in: 0...maximum) else { return nil }
      samples.append(sample)
    }
    _ = skipSpace(andComments: false)
    return rest.isEmpty ? samples : nil
  }

  private mutating func byteSamples(count: Int, maximum: Int) -> [Int]? {
    // One white space ends the head; what follows may look like white space, and is none.
    guard let space = rest.first, Self.isSpace(space) else { return nil }
    let bytes = Array(rest.dropFirst())
    rest = rest.suffix(0)
    let size = maximum < 256 ? 1 : 2
    guard bytes.count == size * count else { return nil }
    let samples =
      size == 1
      ? bytes.map(Int.init)
      : stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    return samples.allSatisfy { $0 <= maximum } ? samples : nil
  }

  /// Passes over white space, and over comments, which go from `#` to the end of the line.
  ///
  /// - Returns: Whether there was any.
  private mutating func skipSpace(andComments: Bool) -> Bool {
    let count = rest.count
    while let byte = rest.first {
      if Self.isSpace(byte) {
        rest = rest.dropFirst()
      } else if andComments, byte == UInt8(ascii: "#") {
        rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      } else {
        break
      }
    }
    return rest.count < count
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }
}
