/// Writes the elements that a picture consists of.
struct SVGPen {
  /// The start of all class names.
  let prefix: String

  /// Writes a path. Classes are separated by spaces.
  func path(_ classes: String, _ path: String, attributes: String = "") -> String {
    "<path class=\"\(names(classes))\"\(attributes) d=\"\(path)\"/>"
  }

  /// Writes a text.
  func text(_ classes: String, _ text: String, x: Pixels, y: Pixels) -> String {
    "<text class=\"\(names(classes))\" x=\"\(x)\" y=\"\(y)\">\(text.xml)</text>"
  }

  /// Writes a rectangle.
  func rect(
    _ classes: String, x: Pixels, y: Pixels, width: Pixels, height: Pixels, radius: Int
  ) -> String {
    """
    <rect class="\(names(classes))" x="\(x)" y="\(y)" width="\(width)" height="\(height)" \
    rx="\(radius)"/>
    """
  }

  private func names(_ classes: String) -> String {
    classes.split(separator: " ").map { prefix + $0 }.joined(separator: " ")
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
