import Timeline

/// The colours of pictures, for light and dark schemes.
///
/// Shape says what happened, and colour and notch say which value it was. All else is grey. Text
/// has a contrast of at least 4.5 to its background, and signs have at least 3, in both schemes.
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
  static let rules =
    [
      // The card, its edge, bands of instants, hairlines and life lines.
      Rule("g", "fill", "#ffffff", "#0d1117"),
      Rule("g", "stroke", "#d0d7de", "#30363d"),
      Rule("b", "fill", "#e9edf2", "#1d2530"),
      Rule("h", "stroke", "#d5dbe2", "#2a313a"),
      Rule("l", "stroke", "#57606a", "#8b949e"),
      // Words and soft words. The halo of names that stand on arrows.
      Rule("t", "fill", "#1f2328", "#e6edf3"),
      Rule("y", "fill", "#1f2328", "#e6edf3"),
      Rule("s", "fill", "#59636e", "#9ea7b3"),
      Rule("k", "stroke", "#ffffff", "#0d1117"),
      // Dotted arrows; their heads and clocks; boxes without a tint; bars of threads.
      Rule("o", "stroke", "#59636e", "#9ea7b3"),
      Rule("w", "stroke", "#59636e", "#9ea7b3"),
      Rule("p", "fill", "#ffffff", "#0d1117"),
      Rule("p", "stroke", "#59636e", "#9ea7b3"),
      Rule("i0", "fill", "#59636e", "#9ea7b3"),
      // Where an operator dropped a value, with the line from the value.
      Rule("Z", "fill", "#ffffff", "#0d1117"),
      Rule("Z", "stroke", "#59636e", "#9ea7b3"),
      // Starts and demand.
      Rule("u", "fill", "#0b6b57", "#7ee2c8"),
      // Ends: finished, failed with its text, cancelled.
      Rule("e", "stroke", "#1f2328", "#e6edf3"),
      Rule("x", "stroke", "#c4320a", "#ff7b72"),
      Rule("z", "fill", "#c4320a", "#ff7b72"),
      Rule("c", "fill", "#ffffff", "#0d1117"),
      Rule("c", "stroke", "#b0177a", "#e38bd8"),
    ]
    + tints.enumerated().flatMap { index, tint in
      [
        // A value's box, its spine with arrowheads, and arrows from it.
        Rule("v\(index + 1)", "fill", tint.fill.light, tint.fill.dark),
        Rule("v\(index + 1)", "stroke", tint.line.light, tint.line.dark),
        Rule("q\(index + 1)", "fill", tint.line.light, tint.line.dark),
        Rule("a\(index + 1)", "stroke", tint.line.light, tint.line.dark),
      ]
    }

  /// The tints of values: the line and the fill. Any two lines differ by at least 20 (CIE 1976) for
  /// normal, protanopic, deuteranopic and tritanopic eyes, simulated as Machado and others do.
  static let tints: [(line: (light: String, dark: String), fill: (light: String, dark: String))] = [
    (("#1d4ed8", "#4c86f0"), ("#e6edff", "#10244d")),
    (("#c76c00", "#fba944"), ("#fff0d9", "#3d2708")),
    (("#2a8472", "#9ceedb"), ("#dcf3ec", "#0f3a31")),
    (("#6b2176", "#a879b4"), ("#f5e4f7", "#331d3a")),
    (("#978550", "#ebe59a"), ("#f4efdc", "#35331a")),
    (("#9f1239", "#e0566a"), ("#fde4ea", "#431420")),
  ]

  private static let numbers = 1...ValueTint.count
  private static let sans = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
  private static let mono =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

  /// The rest of each class.
  private static let shapes: [(names: [String], style: String)] = [
    (["t", "s"], "font:12px \(sans)"),
    (["i"], "font-size:11px"),
    (["j"], "text-anchor:middle"),
    (["m"], "font:600 12px \(mono)"),
    (["y", "z", "d"], "font:11px \(mono)"),
    (["z", "d", "f"], "font-weight:600"),
    (["k"], "stroke-linejoin:round"),
    (["n"], "stroke-width:3;paint-order:stroke"),
    (["o", "w", "h", "l", "e", "x", "C"] + numbers.map { "a\($0)" }, "fill:none"),
    (["l"], "stroke-width:2"),
    (["D"], "stroke-width:7"),
    (["C"], "stroke-width:4.5"),
    (["p"] + numbers.map { "v\($0)" }, "stroke-width:1.25"),
    (["e"], "stroke-width:3.5"),
    (["x"], "stroke-width:3"),
    (["c"], "stroke-width:2.5"),
    (numbers.map { "a\($0)" }, "stroke-width:1.75"),
    (["Z"], "stroke-width:1.5"),
    (["o", "w"], "stroke-width:1.5;stroke-linecap:round"),
    (["o"], "stroke-dasharray:.1 4"),
    (["r", "H"], "stroke-dasharray:3 2.5"),
    (["B"], "font-weight:600;stroke-width:2"),
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
