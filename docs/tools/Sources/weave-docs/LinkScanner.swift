import Foundation

/// A link, image or reference in a page's prose.
struct Link: Equatable {
  /// The text that a reader sees; empty for references and HTML.
  let title: String
  let target: String
  /// Counted from zero within the lines that were searched.
  let lineIndex: Int

  /// Whether it points to a file of the package.
  var isRelative: Bool { target.prefixMatch(of: /[A-Za-z0-9+.-]+:|\/\//) == nil }

  /// The target's path without its anchor, and the anchor.
  var parts: (path: String, anchor: String?) {
    let sides = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(sides[0])
    return (path.removingPercentEncoding ?? path, sides.count == 2 ? String(sides[1]) : nil)
  }
}

/// Finds the links in Markdown, including those that continue on the next line.
///
/// Code blocks and code spans have no links.
enum LinkScanner {
  static func links(in lines: [String]) -> [Link] {
    var fences = FenceReader()
    let prose = lines.map { fences.isCode($0) ? "" : $0 }
    return prose.indices.split { prose[$0].isBlank }.flatMap { range -> [Link] in
      let (first, lines) = (range.lowerBound, prose[range])
      // Some have none, and a regex takes time.
      guard lines.contains(where: { $0.contains("](") || $0.contains("]:") || $0.contains("=\"") })
      else { return [] }
      let text = HiddenCode.hide(lines.joined(separator: "\n"))
      func link(_ title: Substring, _ target: Substring) -> Link {
        let start = title.isEmpty ? target.startIndex : title.startIndex
        let line = first + text[..<start].count { $0 == "\n" }
        return Link(
          title: HiddenCode.show(title).replacing("\n", with: " "), target: String(target),
          lineIndex: line)
      }
      // In the brackets may be further ones, as in a link of an image.
      return text.matches(
        of: /(?:^|[^\\])\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*((?:[^()\s]|\([^()\s]*\))+)/
      )
      .map { link($0.1, $0.2) }
        + text.matches(of: /\[!\[[^\]]*\]\(([^()\s]+)/).map { link("", $0.1) }
        + text.matches(of: /(?m)^ *\[[^\]]+\]: *<?([^\s>]+)/).map { link("", $0.1) }
        + text.matches(of: /(?:href|src)="([^"]+)"/).map { link("", $0.1) }
    }
  }
}

/// Code spans whose characters are replaced by private ones, so that no pattern matches there.
private enum HiddenCode {
  private static let offset: UInt32 = 0xE000

  static func hide(_ text: String) -> String {
    text.replacing(/(`+)(?!`)(?:.|\n)*?[^`]\1(?!`)/) { match in
      map(match.0) { $0 < 0x80 && $0 != 0x0A ? $0 + offset : $0 }
    }
  }

  static func show(_ text: Substring) -> String {
    map(text) { (offset..<offset + 0x80).contains($0) ? $0 - offset : $0 }
  }

  private static func map(_ text: Substring, _ change: (UInt32) -> UInt32) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(Unicode.Scalar(change(scalar.value)) ?? scalar)
    }
    return String(scalars)
  }
}
