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
    /// Whether it's a part of the key.
    let isKey: Bool
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
  private var isKey = false
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
    if name == "g" {
      isKey = attributes["id"] == "key"
      (event, group) = (isKey ? nil : attributes["id"], elements.count)
    }
    open.append(elements.count)
    elements.append(
      Element(name: name, attributes: attributes, event: event, isKey: isKey, group: group))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
    if name == "g" { (event, isKey) = (nil, false) }
  }

  /// The text of the first element with this name.
  func text(of name: String) -> String? { elements.first { $0.name == name }?.text }

  /// All texts with a class, without those of the key.
  func texts(_ name: String) -> [String] {
    elements.filter { $0.name == "text" && !$0.isKey && $0.classes.contains(name) }.map(\.text)
  }

  /// The words of the key.
  var key: [String] {
    elements.filter { $0.isKey && $0.name == "text" && $0.classes == ["s", "i"] }.map(\.text)
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
      // The place where a value was dropped is in another row.
      let key = sign == "Z" ? -element.group : element.group
      let old = marks[key]
      marks[key] = Mark(
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
    case "u", "e", "x", "c", "v", "Z": true
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

  /// The paths that aren't in the key and have one of these classes.
  func paths(_ names: String...) -> [String] {
    elements.filter { $0.name == "path" && !$0.isKey && !Set($0.classes).isDisjoint(with: names) }
      .compactMap { $0.attributes["d"] }
  }

  /// The first points of all lines of a path.
  static func starts(of path: String) -> [(x: Double, y: Double)] {
    var starts: [(x: Double, y: Double)] = []
    follow(path) { command, arguments in
      if command == "M" { starts.append((arguments[0], arguments[1])) }
    }
    return starts
  }

  /// The instants: each one is a line at `x`, or a band that ends there, from `top` to `bottom`.
  var instants: [(left: Double, x: Double, top: Double, bottom: Double)] {
    let bands = paths("b").flatMap(Self.bands)
    return paths("h").flatMap { Self.verticals(of: $0) }.map { line in
      let band = bands.first { $0.x == line.x && $0.top == line.top }
      return (band?.left ?? line.x, line.x, line.top, line.bottom)
    }
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

  /// The left edges, right edges and tops of all bands of a path.
  private static func bands(of path: String) -> [(left: Double, x: Double, top: Double)] {
    var bands: [(left: Double, x: Double, top: Double)] = []
    var isNew = false
    follow(path) { command, arguments in
      if command == "M" {
        bands.append((arguments[0], arguments[0], arguments[1]))
        isNew = true
      } else if command == "h", isNew {
        bands[bands.count - 1].x += arguments[0]
        isNew = false
      }
    }
    return bands
  }

  private static func numbers(in path: String) -> [Double] {
    path.split { !"-.0123456789".contains($0) }.flatMap { piece in
      // A minus also separates.
      piece.replacing("-", with: " -").split(separator: " ").compactMap { Double($0) }
    }
  }

  static func verticals(of path: String) -> [(x: Double, top: Double, bottom: Double)] {
    var result: [(x: Double, top: Double, bottom: Double)] = []
    var (x, y) = (0.0, 0.0)
    follow(path) { command, arguments in
      switch command {
      case "M": (x, y) = (arguments[0], arguments[1])
      case "H": x = arguments[0]
      case "h": x += arguments[0]
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
