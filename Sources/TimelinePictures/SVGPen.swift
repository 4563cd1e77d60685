import Timeline

/// An element of a picture.
struct SVGElement {
  /// The element as it stands in the file.
  let markup: String
  /// The classes and the commands of a path that can be part of a longer path.
  fileprivate let path: (classes: String, commands: String)?
}

extension [SVGElement] {
  /// All elements, in their order.
  var markup: String { map(\.markup).joined() }

  /// The elements in fewer bytes: one path for all paths of the same classes, then the rest. The
  /// bars come first, because they'd cover arrows. Signs of two paths come last, because arrows
  /// would cross them, or the first path would cover the second one.
  func merged(_ pen: SVGPen) -> String {
    let paths = compactMap(\.path)
    let all = paths.map(\.classes).withoutRepeats()
    let bars = all.filter { $0.hasPrefix("W ") || $0.hasPrefix("H ") }
    let last = ["Z", "w Z", "p K", "w K"].filter(all.contains)
    let others = all.filter { !bars.contains($0) && !last.contains($0) }
    let merged = (bars + others + last).map { classes in
      pen.path(classes, paths.filter { $0.classes == classes }.map(\.commands).joined())
    }
    return (merged + filter { $0.path == nil }).markup
  }
}

/// Writes the elements that a picture consists of.
struct SVGPen {
  /// The start of all class names.
  let prefix: String

  /// Writes a path. Classes are separated by spaces.
  func path(_ classes: String, _ path: String, attributes: String = "") -> SVGElement {
    SVGElement(
      markup: "<path class=\"\(names(classes))\"\(attributes) d=\"\(path)\"/>",
      path: attributes.isEmpty ? (classes, path) : nil)
  }

  /// Writes a text. All its spaces are drawn.
  func text(_ classes: String, _ text: String, x: Pixels, y: Pixels) -> SVGElement {
    // By default, SVG draws several spaces as one, and none at the start.
    let space = text.hasPrefix(" ") || text.contains("  ") ? " xml:space=\"preserve\"" : ""
    let place = "x=\"\(x)\" y=\"\(y)\"\(space)"
    return SVGElement(
      markup: "<text class=\"\(names(classes))\" \(place)>\(text.xml)</text>", path: nil)
  }

  /// Writes a rectangle.
  func rect(
    _ classes: String, x: Pixels, y: Pixels, width: Pixels, height: Pixels, radius: Int
  ) -> SVGElement {
    let markup = """
      <rect class="\(names(classes))" x="\(x)" y="\(y)" width="\(width)" height="\(height)" \
      rx="\(radius)"/>
      """
    return SVGElement(markup: markup, path: nil)
  }

  /// Writes a clock around a point.
  func clock(x: Pixels, y: Pixels) -> [SVGElement] {
    [
      path("p K", "M\(x - 6) \(y)a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"),
      path("w K", "M\(x) \(y - 3.5)v3.5h2.5"),
    ]
  }

  /// Writes the sign of a stretch of the axis that isn't to scale: a wave of at most this width.
  func wave(from start: Pixels, to end: Pixels, y: Pixels) -> SVGElement {
    let count = max(1, (end - start).halves / 16)
    let edge = start + Pixels(halves: ((end - start).halves - count * 16) / 2)
    return path(
      "w N", "M\(edge) \(y)" + String(repeating: "q2-6 4 0t4 0", count: count))
  }

  private func names(_ classes: String) -> String {
    classes.split(separator: " ").map { prefix + $0 }.joined(separator: " ")
  }

  /// The classes that some elements use, without the prefix.
  func classNames(in elements: String) -> Set<String> {
    Set(Self.classes(in: elements).map { String($0.dropFirst(prefix.count)) })
  }

  /// The classes that some elements use, with their prefix.
  static func classes(in elements: String) -> Set<String> {
    // Texts have no quotation marks, because those are escaped.
    let pieces = elements.split(separator: "\"", omittingEmptySubsequences: false)
    let values = zip(pieces, pieces.dropFirst()).filter { $0.0.hasSuffix(" class=") }.map(\.1)
    return Set(values.flatMap { $0.split(separator: " ") }.map(String.init))
  }
}

extension String {
  /// The text as it stands in an element or an attribute of XML.
  var xml: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      // XML has none of these, not even escaped.
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
