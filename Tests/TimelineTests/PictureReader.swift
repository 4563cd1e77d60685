import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads a picture back from its SVG, as a browser would: elements, marks and arrows.
final class PictureReader: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
    /// The id of the event it belongs to.
    let event: String?

    var classes: [String] { (attributes["class"] ?? "").split(separator: " ").map(String.init) }
    func number(_ name: String) -> Double { Double(attributes[name] ?? "") ?? .nan }
  }

  /// The space that a sign takes.
  struct Mark {
    let event: String
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let middle: Double
  }

  private(set) var elements: [Element] = []
  private(set) var error: (any Error)?
  private var event: String?
  private var open: [Int] = []

  /// Reads a document.
  init(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    if !parser.parse() { error = parser.parserError ?? CocoaError(.coderReadCorrupt) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if name == "g" { event = attributes["id"] }
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, event: event))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
    if name == "g" { event = nil }
  }

  /// The text of the first element with this name.
  func text(of name: String) -> String? { elements.first { $0.name == name }?.text }

  /// All texts with a class.
  func texts(_ name: String) -> [String] {
    elements.filter { $0.name == "text" && $0.classes.contains(name) }.map(\.text)
  }

  /// The signs of events, without demand.
  var marks: [Mark] {
    elements.compactMap { element in
      guard let event = element.event else { return nil }
      func mark(_ left: Double, _ top: Double, width: Double, height: Double, middle: Double)
        -> Mark
      {
        Mark(
          event: event, left: left, right: left + width, top: top, bottom: top + height,
          middle: top + middle)
      }
      if element.name == "rect" {
        return mark(
          element.number("x"), element.number("y"), width: element.number("width"), height: 20,
          middle: 10)
      }
      guard element.name == "path", let sign = element.classes.first else { return nil }
      let numbers = Self.numbers(in: element.attributes["d"] ?? "")
      let (x, y) = (numbers[0], numbers[1])
      return switch sign {
      case "u": mark(x - 6.5, y, width: 13, height: 12, middle: 7)
      case "n", "p": mark(x, y, width: numbers[2], height: 20, middle: 10)
      case "e": mark(x - 2, y, width: 4, height: 20, middle: 10)
      case "x": mark(x, y, width: 12, height: 12, middle: 6)
      case "c": mark(x, y, width: 11, height: 11, middle: 5.5)
      default: nil
      }
    }
  }

  /// The vertical pieces of arrows.
  var verticals: [(x: Double, top: Double, bottom: Double)] {
    elements.filter { $0.event != nil && $0.name == "path" && $0.classes.first == "a" }
      .flatMap { Self.verticals(of: $0.attributes["d"] ?? "") }
  }

  private static func numbers(in path: String) -> [Double] {
    path.split { !"-.0123456789".contains($0) }.flatMap { piece in
      // A minus also separates.
      piece.replacing("-", with: " -").split(separator: " ").compactMap { Double($0) }
    }
  }

  /// Follows a path that consists of M, H, V, h, l, q and z.
  private static func verticals(of path: String) -> [(x: Double, top: Double, bottom: Double)] {
    var result: [(x: Double, top: Double, bottom: Double)] = []
    var (x, y) = (0.0, 0.0)
    var rest = Substring(path)
    while let command = rest.popFirst() {
      let arguments = numbers(in: String(rest.prefix { !$0.isLetter }))
      rest = rest.drop { !$0.isLetter }
      switch command {
      case "M": (x, y) = (arguments[0], arguments[1])
      case "H": x = arguments[0]
      case "h": x += arguments[0]
      case "V":
        result.append((x, min(y, arguments[0]), max(y, arguments[0])))
        y = arguments[0]
      case "l", "q":
        x += arguments[arguments.count - 2]
        y += arguments[arguments.count - 1]
      default: break
      }
    }
    return result
  }
}
