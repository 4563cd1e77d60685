/// The colours of pictures, for light and dark schemes.
///
/// Shape carries the meaning of a sign, and colour repeats it. Text has a contrast of at least 4.5
/// to its background, and signs have at least 3, in both schemes.
enum PictureColours {
  /// One property of one class.
  struct Rule {
    let name: String
    let property: String
    let light: String
    let dark: String

    init(_ name: String, _ property: String, _ light: String, _ dark: String) {
      self.name = name
      self.property = property
      self.light = light
      self.dark = dark
    }
  }

  /// All colours, by class.
  static let rules = [
    // The card, its edge, bands, hairlines and life lines.
    Rule("g", "fill", "#ffffff", "#0d1117"),
    Rule("g", "stroke", "#d0d7de", "#30363d"),
    Rule("b", "fill", "#eff3f8", "#18202b"),
    Rule("h", "stroke", "#dde3ea", "#2a313a"),
    Rule("l", "stroke", "#57606a", "#8b949e"),
    // Words, soft words, and the halo of names that stand on arrows.
    Rule("t", "fill", "#1f2328", "#e6edf3"),
    Rule("s", "fill", "#59636e", "#9ea7b3"),
    Rule("k", "stroke", "#ffffff", "#0d1117"),
    // Arrows.
    Rule("a", "stroke", "#59636e", "#9ea7b3"),
    Rule("a", "fill", "#59636e", "#9ea7b3"),
    // Starts and demand.
    Rule("u", "fill", "#0b6b57", "#7ee2c8"),
    // Values, responses and printed lines, each with its text.
    Rule("v", "fill", "#dcf0ff", "#0c2d4d"),
    Rule("v", "stroke", "#0a66b0", "#4493f8"),
    Rule("y", "fill", "#08335c", "#d6ebff"),
    Rule("n", "fill", "#faf5cc", "#2f2a0c"),
    Rule("n", "stroke", "#6b6b00", "#e3c94d"),
    Rule("r", "fill", "#3d3b00", "#fbf0b0"),
    Rule("p", "fill", "#ffffff", "#0d1117"),
    Rule("p", "stroke", "#59636e", "#9ea7b3"),
    // Ends: finished, failed with its text, cancelled.
    Rule("e", "stroke", "#1f2328", "#e6edf3"),
    Rule("x", "stroke", "#c4320a", "#ff7b72"),
    Rule("z", "fill", "#c4320a", "#ff7b72"),
    Rule("c", "fill", "#ffffff", "#0d1117"),
    Rule("c", "stroke", "#b0177a", "#e38bd8"),
  ]

  private static let sans = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
  private static let mono =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

  /// The rest of each class.
  private static let shapes: [(names: [String], style: String)] = [
    (["t", "s"], "font:12px \(sans)"),
    (["i"], "font-size:11px"),
    (["j"], "text-anchor:middle"),
    (["m"], "font:600 12px \(mono)"),
    (["q", "y", "r", "z", "d"], "font:11px \(mono)"),
    (["q", "y", "r"], "text-anchor:middle"),
    (["T"], "font:11px \(mono)"),
    (["z", "d", "f"], "font-weight:600"),
    (["k"], "stroke-width:3;stroke-linejoin:round;paint-order:stroke"),
    (["o", "h", "l", "e", "x"], "fill:none"),
    (["l"], "stroke-width:2"),
    (["v"], "stroke-width:1.5"),
    (["n", "p"], "stroke-width:1.5;stroke-linejoin:round"),
    (["e"], "stroke-width:3.5"),
    (["x"], "stroke-width:3"),
    (["c"], "stroke-width:2.5"),
    (["a"], "stroke-width:1.25"),
    (["w"], "stroke-dasharray:3 3"),
  ]

  /// The style sheet of a file, in one line, with only the classes that some elements use. It
  /// follows the scheme of the reader's system.
  ///
  /// - Parameter elements: The elements as they stand in the file.
  static func styleSheet(for elements: String) -> String {
    let used = SVGPen.classes(in: elements)
    func colours(_ colour: (Rule) -> String) -> String { css("", used.contains, colour) }
    // A class that removes the fill has to come after the colours.
    return colours { $0.light } + "@media(prefers-color-scheme:dark){\(colours { $0.dark })}"
      + rest("", used.contains)
  }

  /// The style sheet of all pictures in a page, in one line. It follows the page's `color-scheme`.
  ///
  /// - Parameter prefix: The start of all class names.
  static func embeddedStyleSheet(prefix: String) -> String {
    css(prefix, { _ in true }) { "light-dark(\($0.light),\($0.dark))" }
      + rest(prefix, { _ in true })
  }

  private static func rest(_ prefix: String, _ isUsed: (String) -> Bool) -> String {
    shapes.compactMap { names, style -> String? in
      let names = names.filter(isUsed).map { ".\(prefix)\($0)" }
      return names.isEmpty ? nil : "\(names.joined(separator: ",")){\(style)}"
    }.joined()
  }

  private static func css(
    _ prefix: String, _ isUsed: (String) -> Bool, _ colour: (Rule) -> String
  ) -> String {
    rules.map(\.name).withoutRepeats().filter(isUsed).map { name in
      let properties = rules.filter { $0.name == name }.map { "\($0.property):\(colour($0))" }
      return ".\(prefix)\(name){\(properties.joined(separator: ";"))}"
    }.joined()
  }
}
