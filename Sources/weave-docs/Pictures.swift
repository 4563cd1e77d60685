/// The pictures of the scenarios' parts, which pages show.
///
/// The test suite records them: the snapshot `svg.txt` holds what a scenario prints with `--svg`. That
/// is an SVG document for each part, or two, if the part has a narrow picture for phones too. Each
/// document becomes a file `docs/pictures/SCENARIO/PART.svg` or `PART-narrow.svg`.
struct Pictures {
  static let folder = "docs/pictures"
  private static let snapshot = "svg.txt"

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

  /// The pictures of each scenario that has some, in the order of the run.
  private(set) var scenarios: [String: [Picture]] = [:]

  /// Reads the snapshots, and adds their problems to `problems`.
  init(_ tree: any FileTree, catalogue: ScenarioCatalogue, problems: inout [Problem]) {
    for scenario in catalogue.scenarios {
      let path = "\(scenario.snapshots)/\(Self.snapshot)"
      guard tree.kind(of: path) == .file else { continue }
      scenarios[scenario.name] = problems.collect { () throws(Problem) in
        let lines = try tree.lines(of: path, for: Location(path: path, line: 1))
        return try Self.pictures(in: lines, of: scenario.name, path: path)
      }
    }
  }

  /// The texts of all files by path.
  var files: [String: String] {
    var files: [String: String] = [:]
    for picture in scenarios.values.joined() {
      files[picture.path] = picture.text
      if let narrow = picture.narrow { files[narrow.path] = narrow.text }
    }
    return files
  }

  /// The picture that a page shows.
  ///
  /// - Parameter path: The path of its file, as the page names it.
  func picture(at path: String, for location: Location) throws(Problem) -> Picture {
    if let picture = scenarios.values.joined().first(where: { $0.path == path }) { return picture }
    let parts = path.split(separator: "/")
    let folder = Self.folder.split(separator: "/")
    guard parts.count == folder.count + 2, parts.starts(with: folder) else {
      throw location.problem(
        "\(path) isn't a picture of a part: those are \(Self.folder)/SCENARIO/PART.svg")
    }
    let scenario = String(parts[folder.count])
    guard let pictures = scenarios[scenario] else {
      throw location.problem(
        "'\(scenario)' has no pictures: there is no snapshot \(Self.snapshot) (make record writes"
          + " snapshots)")
    }
    let names = pictures.map { RelativePath.name(of: $0.path) }.joined(separator: ", ")
    throw location.problem(
      "no picture \(parts.last ?? "") of '\(scenario)': choose one of \(names)")
  }

  /// The name of a part's file, without `.svg`: letters and digits, with hyphens between the words.
  static func slug(of title: String) -> String {
    title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .joined(separator: "-")
  }

  private static func pictures(
    in lines: [String], of scenario: String, path: String
  ) throws(Problem) -> [Picture] {
    var pictures: [Picture] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      let location = Location(path: path, line: index + 1)
      if line.hasPrefix("<svg") {
        guard start == nil else { throw location.problem("the picture before this one has no end") }
        start = index
      }
      guard let first = start else { throw location.problem("expected <svg, not '\(line)'") }
      guard line.hasSuffix("</svg>") else { continue }
      start = nil
      let text = lines[first...index].map { $0 + "\n" }.joined()
      let opening = Location(path: path, line: first + 1)
      try add(text, of: scenario, to: &pictures, at: opening)
    }
    if let start { throw Location(path: path, line: start + 1).problem("this picture has no end") }
    return pictures
  }

  private static func add(
    _ text: String, of scenario: String, to pictures: inout [Picture], at location: Location
  ) throws(Problem) {
    guard let title = element("title", of: text), !slug(of: title).isEmpty else {
      throw location.problem("this picture has no <title>: it should be the heading of its part")
    }
    let name = "\(folder)/\(scenario)/\(slug(of: title))"
    guard let index = pictures.firstIndex(where: { $0.path == "\(name).svg" }) else {
      let description = element("desc", of: text) ?? title
      pictures.append(
        Picture(
          title: title, path: "\(name).svg",
          alternative: alternative(title: title, description: description), text: text))
      return
    }
    guard pictures[index].title == title, pictures[index].narrow == nil else {
      throw location.problem("a third picture '\(name).svg': give each part a title of its own")
    }
    pictures[index].narrow = Picture.Narrow(path: "\(name)-narrow.svg", text: text)
  }

  /// The text of the first element of a name, which is the root's for `title` and `desc`.
  private static func element(_ name: String, of text: String) -> String? {
    guard let opening = text.firstRange(of: "<\(name)"),
      let start = text[opening.upperBound...].firstIndex(of: ">"),
      let end = text[start...].firstRange(of: "</\(name)>")
    else { return nil }
    let content = text[text.index(after: start)..<end.lowerBound]
    return content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }

  /// The title and the first sentence of the description. The file has all of it.
  private static func alternative(title: String, description: String) -> String {
    let sentence = description.firstRange(of: ". ").map {
      String(description[..<$0.lowerBound]) + "."
    }
    let first = sentence ?? description
    return first.hasPrefix(title) ? first : "\(title): \(first)"
  }
}
