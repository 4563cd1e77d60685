/// A length or a position in a picture, counted in half pixels.
///
/// Whole numbers give the same bytes on every machine.
struct Pixels: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral
{
  let halves: Int

  init(halves: Int) { self.halves = halves }

  init(integerLiteral value: Int) { halves = value * 2 }

  init(floatLiteral value: Double) { halves = Int((value * 2).rounded()) }

  init(_ pixels: Int) { halves = pixels * 2 }

  /// The width of a text in a monospaced font, rounded up. Its characters are at most this wide in
  /// all fonts that a browser is likely to choose.
  ///
  /// - Parameters:
  ///   - cells: The width of the text in characters.
  ///   - size: The font's size in pixels.
  static func monospaced(_ cells: Int, size: Int) -> Pixels {
    Pixels(halves: (cells * size * 1_206 + 999) / 1_000)
  }

  /// A generous estimate of the width of words in a proportional font of 11 pixels.
  static func words(_ cells: Int) -> Pixels { Pixels(halves: cells * 15) }

  var half: Pixels { Pixels(halves: (halves + 1) / 2) }

  static func < (first: Pixels, second: Pixels) -> Bool { first.halves < second.halves }
  static func + (first: Pixels, second: Pixels) -> Pixels {
    Pixels(halves: first.halves + second.halves)
  }
  static func - (first: Pixels, second: Pixels) -> Pixels {
    Pixels(halves: first.halves - second.halves)
  }
  static func * (count: Int, length: Pixels) -> Pixels { Pixels(halves: count * length.halves) }
  static prefix func - (length: Pixels) -> Pixels { Pixels(halves: -length.halves) }
}

extension Pixels: CustomStringConvertible {
  /// The number as SVG writes it, such as `12` or `12.5`.
  var description: String {
    let sign = halves < 0 ? "-" : ""
    return "\(sign)\(abs(halves) / 2)\(halves.isMultiple(of: 2) ? "" : ".5")"
  }
}

extension String {
  /// The width of the text in characters of a monospaced font. Ideographs and emoji take two.
  var cells: Int {
    reduce(0) { width, character in
      let isWide = character.unicodeScalars.contains { scalar in
        scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
      }
      return width + (isWide ? 2 : 1)
    }
  }
}

/// The blocks of Unicode whose characters are as wide as two Latin letters.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
  0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
]
