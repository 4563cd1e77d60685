import Timeline

/// The pictures of the scenarios' parts, and of the operators' examples, which pages show.
///
/// They're drawn from the traces that the test suite records. Each part becomes a file
/// `docs/pictures/SCENARIO/PART.svg`. If that's wide, `PART-narrow.svg` is for phones. The trace of
/// a variant, `variant-trace.txt`, makes `variant-PART.svg`. A run of an operator's example becomes
/// `docs/pictures/operators/OPERATOR/RUN.svg`.
struct Pictures {
  static let folder = "docs/pictures"
  private static let trace = "trace.txt"
  /// The end of the names of the traces of an operator's example.
  static let operatorTrace = "-trace.txt"
  /// Up to this width in pixels, a picture shrinks on a phone and stays readable.
  private static let widestOnPhone = 480.0
  /// A page loads all its pictures at once, as images that a mouse can't hover over.
  static let limits = Timeline.PictureLimits(titles: 10_000, groups: 12_000)
  /// In characters.
  private static let longestAlternative = 500
  private static let rest = "The picture's own description has the rest."

  struct Picture: Equatable {
    /// The heading of its part.
    let title: String
    let path: String
    /// The text for readers who don't see it.
    let alternative: String
    let text: String
    var narrow: Narrow?

    struct Narrow: Equatable {
      let path: String
      let text: String
    }
  }

  /// The pictures of each scenario that has some, in the order of the run, and of each operator's
  /// page.
  private(set) var groups: [String: [Picture]] = [:]

  /// Reads the traces, and adds their problems to `problems`.
  init(
    _ tree: any FileTree, catalogue: ScenarioCatalogue, operators: Operators,
    problems: inout [Problem]
  ) {
    for scenario in catalogue.scenarios {
      for name in tree.names(in: scenario.snapshots) where name.hasSuffix(Self.trace) {
        read(
          "\(scenario.snapshots)/\(name)", group: scenario.name,
          prefix: String(name.dropLast(Self.trace.count)), from: tree, problems: &problems)
      }
    }
    for page in operators.pages {
      for name in tree.names(in: page.snapshots) where name.hasSuffix(Self.operatorTrace) {
        read(
          "\(page.snapshots)/\(name)", group: page.pictures,
          name: String(name.dropLast(Self.operatorTrace.count)), from: tree, problems: &problems)
      }
    }
  }

  /// - Parameter name: The name of the picture; `nil` to name each after the title of its part.
  private mutating func read(
    _ path: String, group: String, prefix: String = "", name: String? = nil,
    from tree: any FileTree, problems: inout [Problem]
  ) {
    let others = groups[group, default: []]
    let pictures = problems.collect { () throws(Problem) in
      let lines = try tree.lines(of: path, for: Location(path: path, line: 1))
      return try Self.pictures(
        of: try TraceReader.recording(of: lines, path: path), group: group, prefix: prefix,
        name: name, path: path, others: others)
    }
    groups[group] = others + (pictures ?? [])
  }

  /// The group of pictures that a page shows; `nil` if it has none of its own.
  static func group(of page: String) -> String? {
    let name = RelativePath.name(of: page).dropLast(".md".count)
    return switch RelativePath.folder(of: page) {
    case "docs/scenarios": String(name)
    case OperatorPage.folder where page != OperatorPage.index: "operators/\(name)"
    default: nil
    }
  }

  /// The texts of all files by path.
  var files: [String: String] {
    var files: [String: String] = [:]
    for picture in groups.values.joined() {
      files[picture.path] = picture.text
      if let narrow = picture.narrow { files[narrow.path] = narrow.text }
    }
    return files
  }

  /// The picture that a page shows.
  ///
  /// - Parameter path: The path of its file, as the page names it.
  func picture(at path: String, for location: Location) throws(Problem) -> Picture {
    if let picture = groups.values.joined().first(where: { $0.path == path }) { return picture }
    let group = RelativePath.folder(of: path).dropFirst(Self.folder.count + 1)
    guard path.hasPrefix("\(Self.folder)/"), let pictures = groups[String(group)] else {
      throw location.problem(
        "no run draws the picture \(path): expected \(Self.folder)/SCENARIO/PART.svg, of a scenario"
          + " with a trace (make record writes snapshots)")
    }
    let names = pictures.map { RelativePath.name(of: $0.path) }.joined(separator: ", ")
    throw location.problem(
      "no picture \(RelativePath.name(of: path)) of '\(group)': choose one of \(names)")
  }

  /// The name of a part's file, without `.svg`: letters and digits, with hyphens between the words.
  static func slug(of title: String) -> String {
    title.lowercased().replacing(/['’]/, with: "").replacing(/[^a-z0-9]+/, with: "-")
      .trimming { $0 == "-" }
  }

  private static func pictures(
    of recording: Timeline.Recording, group: String, prefix: String, name: String?,
    path: String, others: [Picture]
  ) throws(Problem) -> [Picture] {
    var pictures: [Picture] = []
    for (index, part) in recording.parts.enumerated() where isDrawn(part) {
      let location = Location(path: path, line: 1)
      let title = part.title ?? group
      let name = "\(folder)/\(group)/\(prefix)\(name ?? slug(of: title))"
      if let other = (others + pictures).first(where: { $0.path == "\(name).svg" }) {
        throw location.problem(
          "the parts '\(other.title)' and '\(title)' would have the same picture \(name).svg: give"
            + " one another title")
      }
      let text = recording.svg(part: index, style: .wide, limits: limits)
      var picture = Picture(
        title: title, path: "\(name).svg", alternative: alternative(title: title, text), text: text)
      if width(of: text) > widestOnPhone {
        picture.narrow = Picture.Narrow(
          path: "\(name)-narrow.svg",
          text: recording.svg(part: index, style: .narrow, limits: limits))
      }
      pictures.append(picture)
    }
    return pictures
  }

  /// Whether there's something to see: a part that only prints has no picture.
  private static func isDrawn(_ part: Timeline.Recording.Part) -> Bool {
    part.events.contains { $0.lane.role != .console }
  }

  private static func width(of svg: String) -> Double {
    svg.firstMatch(of: /<svg[^>]* width="([0-9.]+)"/).flatMap { Double($0.1) } ?? 0
  }

  /// The title and the description. If that's too long, requests are left out, and then the lanes
  /// at the end.
  private static func alternative(title: String, _ svg: String) -> String {
    let sentences = (description(in: svg) ?? "").split(separator: ". ").map { sentence in
      sentence.hasSuffix(".") ? String(sentence) : sentence + "."
    }
    let whole = (["\(title)."] + sentences).joined(separator: " ")
    guard whole.count > longestAlternative else { return whole }
    var text = "\(title)."
    for sentence in sentences where !sentence.hasPrefix("request ") {
      guard text.count + sentence.count + rest.count + 2 <= longestAlternative else { break }
      text += " \(sentence)"
    }
    return "\(text) \(rest)"
  }

  private static func description(in svg: String) -> String? {
    guard let match = svg.firstMatch(of: /<desc[^>]*>([^<]*)<\/desc>/) else { return nil }
    return match.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }
}
