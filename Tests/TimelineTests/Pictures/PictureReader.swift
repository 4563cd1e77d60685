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
    /// The position of the event's group. Several events may have one number.
    let group: Int

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
    /// Whether it's a bar alone.
    let isEnd: Bool
  }

  private(set) var elements: [Element] = []
  private(set) var error: (any Error)?
  private var event: String?
  private var group = 0
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
    if name == "g" { (event, group) = (attributes["id"], elements.count) }
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, event: event, group: group))
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

  /// The signs of events, without demand and printed lines. What belongs to one sign, such as a box
  /// and its spines, is one mark.
  var marks: [Mark] {
    var marks: [Int: Mark] = [:]
    for element in elements where element.name == "path" {
      guard let event = element.event, let sign = element.classes.first,
        let path = element.attributes["d"], Self.isSign(sign, path)
      else { continue }
      let box = Self.box(of: path)
      let strokes: [String: Double] = ["e": 1.75, "x": 1, "c": 1]
      let stroke = strokes[sign] ?? 0
      let old = marks[element.group]
      marks[element.group] = Mark(
        event: event, left: min(old?.left ?? .infinity, box.left - stroke),
        right: max(old?.right ?? -.infinity, box.right + stroke),
        top: min(old?.top ?? .infinity, box.top),
        bottom: max(old?.bottom ?? -.infinity, box.bottom),
        middle: old?.middle ?? (sign == "u" ? box.top + 7 : (box.top + box.bottom) / 2),
        isEnd: sign == "e" && old?.isEnd ?? true)
    }
    return Array(marks.values)
  }

  /// Whether a path is a part of a sign. A spine's colour is also that of arrowheads, and the paper
  /// of a box also that of clocks.
  private static func isSign(_ name: String, _ path: String) -> Bool {
    switch name.first {
    case "u", "e", "x", "c", "v": true
    case "p": !path.contains("a6 6")
    case "q": !path.contains("l-4 ") && !path.contains("l-4-7") && !path.contains("h3v13")
    default: false
    }
  }

  /// The box around the points of a path.
  private static func box(
    of path: String
  ) -> (left: Double, right: Double, top: Double, bottom: Double) {
    var (x, y) = (0.0, 0.0)
    var (xs, ys): ([Double], [Double]) = ([], [])
    follow(path) { command, arguments in
      switch command {
      case "M", "L": (x, y) = (arguments[0], arguments[1])
      case "H": x = arguments[0]
      case "h": x += arguments[0]
      case "V": y = arguments[0]
      case "v": y += arguments[0]
      case "m", "l":
        for index in stride(from: 0, to: arguments.count, by: 2) {
          x += arguments[index]
          y += arguments[index + 1]
          xs.append(x)
          ys.append(y)
        }
      case "q":
        x += arguments[2]
        y += arguments[3]
      default: break
      }
      xs.append(x)
      ys.append(y)
    }
    return (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
  }

  /// Whether an element is the line of an arrow.
  private static func isArrow(_ element: Element) -> Bool {
    guard element.event != nil, element.name == "path", let name = element.classes.first else {
      return false
    }
    return name == "o" || name.first == "a" && name.count == 2
  }

  /// The lines of arrows.
  var arrows: [Element] { elements.filter(Self.isArrow) }

  /// The arrows that lead to bars of waits.
  private var arrowsToBars: [Element] {
    elements.filter { element in
      let isDotted = element.event == nil && element.classes == ["o"]
      return isDotted && element.attributes["d"]?.contains("V") ?? false
    }
  }

  /// The vertical pieces of arrows.
  var verticals: [(x: Double, top: Double, bottom: Double)] {
    (arrows + arrowsToBars).flatMap { Self.verticals(of: $0.attributes["d"] ?? "") }
  }

  private static func numbers(in path: String) -> [Double] {
    path.split { !"-.0123456789".contains($0) }.flatMap { piece in
      // A minus also separates.
      piece.replacing("-", with: " -").split(separator: " ").compactMap { Double($0) }
    }
  }

  private static func verticals(of path: String) -> [(x: Double, top: Double, bottom: Double)] {
    var result: [(x: Double, top: Double, bottom: Double)] = []
    var (x, y) = (0.0, 0.0)
    follow(path) { command, arguments in
      switch command {
      case "M": (x, y) = (arguments[0], arguments[1])
      case "H": x = arguments[0]
      case "V":
        result.append((x, min(y, arguments[0]), max(y, arguments[0])))
        y = arguments[0]
      case "q":
        x += arguments[2]
        y += arguments[3]
      default: break
      }
    }
    return result
  }

  /// Calls a closure with each command of a path, and its numbers.
  private static func follow(_ path: String, _ body: (Character, [Double]) -> Void) {
    var rest = Substring(path)
    while let command = rest.popFirst() {
      body(command, numbers(in: String(rest.prefix { !$0.isLetter })))
      rest = rest.drop { !$0.isLetter }
    }
  }
}
