import Timeline

/// A picture that shows which object keeps which, at some moments of a part.
///
/// It's made from the lines that the run printed, such as
/// `who keeps whom: window → view → subscription`. Each name is a box, and each arrow leads from an
/// object to one that it keeps. A name that appears twice is the same box, so an arrow back to it
/// closes a cycle. A box that isn't in the line of a moment is dashed.
struct KeepersPicture {
  private static let prefix = "who keeps whom: "
  private static let arrow = " → "

  private struct Moment {
    let time: String
    /// From a keeper to what it keeps, and so on; empty if nothing is left.
    let chain: [String]
    let words: String
  }

  private let moments: [Moment]
  /// The boxes, in order of first use.
  private let names: [String]

  /// - Returns: `nil` if the part printed no such line.
  init?(_ part: Timeline.Recording.Part) {
    moments = part.events.compactMap { event in
      guard let words = Self.words(of: event) else { return nil }
      let chain =
        words.contains(Self.arrow) ? words.split(separator: Self.arrow).map(String.init) : []
      return Moment(time: "\(event.time)", chain: chain, words: words)
    }
    var names: [String] = []
    for name in moments.flatMap(\.chain) where !names.contains(name) { names.append(name) }
    self.names = names
    if names.isEmpty { return nil }
  }

  /// Whether an event is one of the lines. They have this picture, so others leave them out.
  static func shows(_ event: Timeline.Event) -> Bool { words(of: event) != nil }

  private static func words(of event: Timeline.Event) -> String? {
    guard case .printed(let text) = event.kind, text.hasPrefix(prefix) else { return nil }
    return String(text.dropFirst(prefix.count))
  }

  /// The moments in words.
  var description: String { moments.map { "At \($0.time): \($0.words)." }.joined(separator: " ") }

  private static let rowHeight = 62
  private static let gap = 34
  private static let margin = 12
  private static let left = 64
  /// The height of a line of the title, and of the key.
  private static let line = 16
  private static let foot = 34

  private func boxWidth(_ name: String) -> Int { name.count * 8 + 16 }

  /// The left edges of the boxes, and of one more.
  private var edges: [Int] {
    names.indices.reduce(into: [Self.left]) { edges, index in
      edges.append(edges[index] + boxWidth(names[index]) + Self.gap)
    }
  }

  /// A picture also goes where its page doesn't, so it has its title and its key in it.
  ///
  /// - Parameter title: The picture's title.
  func svg(title: String) -> String {
    let width = max(edges[names.count] - Self.gap + Self.margin, 260)
    let lines = Self.lines(of: title, width: (width - 2 * Self.margin) / 8)
    let head = 12 + lines.count * Self.line
    let bottom = head + moments.count * Self.rowHeight
    let height = bottom + Self.foot
    let heading = lines.enumerated().map { index, line in
      #"<text class="t f" x="\#(Self.margin)" y="\#(24 + index * Self.line)">"#
        + "\(Self.escaped(line))</text>\n"
    }.joined()
    let rows = moments.enumerated().map { row($1, top: head + $0 * Self.rowHeight) }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="t d">
      <title id="t">\(Self.escaped(title))</title>
      <desc id="d">\(Self.escaped(description))</desc>
      <style>\(Self.style)</style>
      <rect class="g" x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8"/>
      \(heading)\(rows)\(key(middle: bottom + Self.foot / 2 - 4))</svg>

      """
  }

  /// A title in lines of at most this many characters, if its words are short enough.
  private static func lines(of title: String, width: Int) -> [String] {
    title.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// Whether a box is dashed.
  private var hasReleased: Bool { moments.contains { Set($0.chain).count < names.count } }

  /// What the arrow means, and the dashed box if there's one.
  private func key(middle: Int) -> String {
    let arrow =
      #"<path class="a" d="M12 \#(middle)h15"/><path class="q" d="M34 \#(middle)l-7 -4v8z"/>"#
      + #"<text class="s" x="40" y="\#(middle + 4)">keeps</text>"#
    let box =
      #"<rect class="p x" x="100" y="\#(middle - 8)" width="22" height="16" rx="4"/>"#
      + #"<text class="s" x="128" y="\#(middle + 4)">released</text>"#
    return "<g id=\"key\">\n\(arrow)\(hasReleased ? box : "")\n</g>\n"
  }

  private func row(_ moment: Moment, top: Int) -> String {
    let middle = top + 24
    var lines = [#"<text class="s" x="\#(Self.margin)" y="\#(middle + 4)">\#(moment.time)</text>"#]
    for (name, x) in zip(names, edges) {
      let width = boxWidth(name)
      let isGone = !moment.chain.contains(name)
      lines.append(
        #"<rect class="\#(isGone ? "p x" : "p")" x="\#(x)" y="\#(top + 10)" width="\#(width)" height="28" rx="4"/>"#
      )
      lines.append(
        #"<text class="\#(isGone ? "s" : "t") j" x="\#(x + width / 2)" y="\#(middle + 4)">\#(Self.escaped(name))</text>"#
      )
    }
    let places = moment.chain.compactMap { names.firstIndex(of: $0) }
    for (keeper, kept) in zip(places, places.dropFirst()) {
      lines.append(arrow(from: keeper, to: kept, middle))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// An arrow to the next box is straight. Another one runs below the boxes.
  private func arrow(from keeper: Int, to kept: Int, _ middle: Int) -> String {
    let bottom = middle + 14
    if kept == keeper + 1 {
      let end = edges[kept]
      return #"<path class="a" d="M\#(end - Self.gap) \#(middle)H\#(end - 7)"/>"#
        + #"<path class="q" d="M\#(end) \#(middle)l-8 -4v8z"/>"#
    }
    let (start, end) = (
      edges[keeper] + boxWidth(names[keeper]) / 2, edges[kept] + boxWidth(names[kept]) / 2
    )
    let turn = start > end ? -7 : 7
    return
      #"<path class="a" d="M\#(start) \#(bottom)v8q0 7 \#(turn) 7H\#(end - turn)q\#(turn) 0 \#(turn) -7v-1"/>"#
      + #"<path class="q" d="M\#(end) \#(bottom)l-4 8h8z"/>"#
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// The colours and letters of the other pictures.
  private static let style =
    ".g{fill:#ffffff;stroke:#d0d7de}.t{fill:#1f2328}.s{fill:#59636e}.p{fill:#ffffff;stroke:#59636e}"
    + ".a{stroke:#1d4ed8}.q{fill:#1d4ed8}@media(prefers-color-scheme:dark){"
    + ".g{fill:#0d1117;stroke:#30363d}.t{fill:#e6edf3}.s{fill:#9ea7b3}.p{fill:#0d1117;stroke:#9ea7b3}"
    + ".a{stroke:#4c86f0}.q{fill:#4c86f0}}"
    + ".t,.s{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    + ".f{font-weight:600}.j{text-anchor:middle}.p{stroke-width:1.25}.x{stroke-dasharray:3 3}.a{fill:none;stroke-width:1.75}"
}
