import Foundation
import Testing

@testable import Timeline
@testable import TimelinePictures

struct PictureColoursTests {
  /// The luminance of a colour such as `#0b6b57`, as WCAG 2.2 defines it.
  private func luminance(_ colour: String) throws -> Double {
    let number = try #require(UInt32(colour.dropFirst(), radix: 16))
    let channels = [16, 8, 0].map { Double((number >> UInt32($0)) & 0xFF) / 255 }
    let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  private func contrast(_ first: String, _ second: String) throws -> Double {
    let values = [try luminance(first), try luminance(second)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  private func colours(_ name: String, _ property: String) throws -> [String] {
    let rule = try #require(
      PictureColours.rules.first { $0.name == name && $0.property == property })
    return [rule.light, rule.dark]
  }

  private func expectContrast(
    of name: String, _ property: String, on grounds: [(String, String)], atLeast least: Double
  ) throws {
    for (ground, groundProperty) in grounds {
      for (colour, ground) in zip(
        try colours(name, property), try colours(ground, groundProperty))
      {
        let value = try contrast(colour, ground)
        #expect(value >= least, "\(name) \(colour) on \(ground): \(value)")
      }
    }
  }

  @Test func contrastIsComputedAsDefined() throws {
    #expect(try contrast("#000000", "#ffffff") == 21)
    #expect(abs(try contrast("#777777", "#ffffff") - 4.48) < 0.01)
  }

  @Test func everyTextIsReadable() throws {
    let background = [("g", "fill")]
    for name in ["t", "s", "u", "z"] {
      try expectContrast(of: name, "fill", on: background, atLeast: 4.5)
    }
    let boxes = ["p"] + (1...6).map { "v\($0)" }
    try expectContrast(of: "y", "fill", on: boxes.map { ($0, "fill") }, atLeast: 4.5)
  }

  @Test func everySignIsVisible() throws {
    let background = [("g", "fill")]
    let tints = 1...ValueTint.count
    for name in ["l", "o", "w", "p", "e", "x", "c"] + tints.map({ "a\($0)" }) {
      try expectContrast(of: name, "stroke", on: background, atLeast: 3)
    }
    for name in ["u", "i0"] + tints.map({ "q\($0)" }) {
      try expectContrast(of: name, "fill", on: background, atLeast: 3)
    }
    // A spine on its own box.
    for tint in tints {
      try expectContrast(of: "q\(tint)", "fill", on: [("v\(tint)", "fill")], atLeast: 3)
    }
  }

  @Test func theStyleSheetHasEachClassInBothSchemes() {
    let elements = PictureColours.rules.map { "<path class=\"\($0.name)\"/>" }.joined()
    let style = PictureColours.styleSheet(for: elements)
    let parts = style.split(separator: "@media(prefers-color-scheme:dark){")
    #expect(parts.count == 2)
    for rule in PictureColours.rules {
      #expect(parts[0].contains(".\(rule.name){"))
      #expect(parts[1].contains(".\(rule.name){"))
    }
    #expect(!PictureColours.styleSheet(for: "<path class=\"l\"/>").contains(".v1{"))
  }

  @Test func theStyleSheetOfAPageHasAPrefixAndBothSchemes() {
    let style = PictureColours.embeddedStyleSheet(prefix: "x-")
    for rule in PictureColours.rules {
      #expect(style.contains(".x-\(rule.name){"))
      #expect(style.contains("\(rule.property):light-dark(\(rule.light),\(rule.dark))"))
    }
  }
}
