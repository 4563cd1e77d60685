import Timeline
import TimelinePictures

/// The pictures of the scenarios' parts, of the operators' examples and of the recipes' runs, which
/// pages show.
///
/// They're drawn from the traces that the test suite records. Each part becomes a file
/// `docs/pictures/SCENARIO/PART.svg`. If that's wide, `PART-narrow.svg` is for phones. The trace of
/// a variant, `variant-trace.txt`, makes `variant-PART.svg`. A run of an operator's example becomes
/// `docs/pictures/operators/OPERATOR/RUN.svg`, and one of a recipe
/// `docs/pictures/recipes/RECIPE/RUN.svg`. A part that prints who keeps whom has a second picture,
/// `PART-keepers.svg`.
///
/// If the times of a part lead to several outcomes, `PART-times.svg` shows which of them lead to
/// which, `PART-responses.svg` shows the same of responses only, and `PART-one-time.svg` that of
/// one thing. Pages choose among these, and the others aren't written.
struct Pictures {
  static let folder = "docs/pictures"
  private static let trace = "trace.txt"
  /// The snapshots of sweeps of all things, of responses and of one thing, and what the names of
  /// their pictures end with.
  private static let sweeps = [
    "sweep.txt": "times", "responses.txt": "responses", "sweep-of-one.txt": "one-time",
  ]
  /// Up to this width in pixels, a picture shrinks on a phone and has no text below 10 pixels.
  private static let widestOnPhone = 390.0
  /// A page loads all its pictures at once, as images that a mouse can't hover over. So those above
  /// this size, in bytes, have no titles.
  static let limit = 10_000
  /// In characters.
  private static let longestAlternative = 500
  private static let rest = "The picture's own description has the rest."

  struct Picture: Equatable {
    /// The heading of its part.
    let title: String
    let path: String
    /// The path of the picture for phones; `nil` if this one is narrow enough.
    let narrow: String?
    /// The text for readers who don't see it.
    let alternative: String
  }

  /// The pictures of each scenario that has some, in the order of its parts, and of each page of an
  /// operator or a recipe.
  private(set) var groups: [String: [Picture]] = [:]

  /// The pictures of what times lead to, of each scenario that has some. Pages choose among them.
  private(set) var times: [String: [Picture]] = [:]

  /// A part to draw.
  private struct Run {
    let recording: Timeline.Recording
    let part: Int
    let title: String
    /// What's special about this run, after its title.
    let remark: String
    /// The path of its picture, without `.svg`.
    let name: String
    let keepers: KeepersPicture?
  }

  /// The texts of all files by path.
  private(set) var files: [String: String] = [:]

  /// Reads the traces, and adds their problems to `problems`.
  init(
    _ tree: any FileTree, catalogue: ScenarioCatalogue, operators: Operators, recipes: Recipes,
    problems: inout [Problem]
  ) {
    let scenarios = catalogue.scenarios.map { (folder: $0.snapshots, group: $0.name) }
    let pages =
      operators.pages.map { (folder: $0.snapshots, group: $0.pictures) }
      + recipes.pages.map { (folder: $0.snapshots, group: $0.pictures) }
    for (folder, group) in scenarios + pages {
      var runs: [Run] = []
      for name in tree.names(in: folder) where name.hasSuffix(Self.trace) {
        do throws(Problem) {
          runs += try Self.runs(of: "\(folder)/\(name)", group: group, from: tree)
        } catch {
          problems.append(error)
        }
      }
      draw(runs, of: group)
      for name in tree.names(in: folder) {
        guard let (file, kind) = Self.sweeps.first(where: { name.hasSuffix($0.key) }) else {
          continue
        }
        let lines = tree.lines(of: "\(folder)/\(name)")
        drawTimes(lines, run: String(name.dropLast(file.count)), kind, of: group)
      }
    }
  }

  /// Draws what the times of each part lead to.
  ///
  /// - Parameters:
  ///   - lines: The snapshot.
  ///   - run: What the names of the pictures begin with, such as `variant-`.
  ///   - kind: What they end with.
  ///   - group: The name of the scenario.
  private mutating func drawTimes(
    _ lines: [String], run: String, _ kind: String, of group: String
  ) {
    for part in SweptPart.all(in: lines) {
      guard let strips = try? part.strips.get() else { continue }
      let title = "\(part.title)\(Self.remark(on: run)), at any time"
      let name = "\(Self.folder)/\(group)/\(run)\(Self.slug(of: part.title))-\(kind)"
      func svg(_ style: Timeline.PictureStyle) -> String {
        strips.svg(title: "\(group): \(title)", style: style)
      }
      files["\(name).svg"] = svg(.wide)
      files["\(name)-narrow.svg"] = svg(.narrow)
      times[group, default: []].append(
        Picture(
          title: title, path: "\(name).svg", narrow: "\(name)-narrow.svg",
          alternative: Self.alternative(title: title, svg(.wide))))
    }
  }

  /// Removes the files of the pictures of times that no page shows, because many are alike.
  mutating func keepTimes(shownIn pages: [WovenPage]) {
    for picture in times.values.joined()
    where !pages.contains(where: { PicturesShown.shows($0, picture) }) {
      files[picture.path] = nil
      if let narrow = picture.narrow { files[narrow] = nil }
    }
  }

  /// - Parameter path: A trace. Of a scenario, each part has a picture of its name. A run of an
  ///   operator or a recipe has one part, and its picture has the name of the trace.
  private static func runs(
    of path: String, group: String, from tree: any FileTree
  ) throws(Problem) -> [Run] {
    let location = Location(path: path, line: 1)
    let all = try TraceReader.recording(
      of: try tree.lines(of: path, for: location), path: path)
    let recording = all.filter { !KeepersPicture.shows($0) }
    let run = RelativePath.name(of: path).dropLast(Self.trace.count)
    var runs: [Run] = []
    for (index, part) in recording.parts.enumerated()
    // A part that only prints has no picture.
    where part.events.contains(where: { $0.lane.role != .console }) {
      let title = part.title ?? group
      let hasOnePart = group.contains("/")
      let file = hasOnePart ? String(run.dropLast()) : run + Self.slug(of: title)
      let name = "\(Self.folder)/\(group)/\(file)"
      guard !runs.contains(where: { $0.name == name }) else {
        throw location.problem(
          "'\(title)' would have the picture \(name).svg, as another part does: give one another"
            + " title")
      }
      runs.append(
        Run(
          recording: recording, part: index, title: title, remark: Self.remark(on: String(run)),
          name: name,
          keepers: KeepersPicture(all.parts[index])))
    }
    return runs
  }

  /// What the title of a picture says about a run that isn't the usual one.
  private static func remark(on run: String) -> String {
    switch run {
    case "other-": ", in another order"
    case "variant-": ", with its flag"
    default: ""
    }
  }

  /// Draws the pictures of a page. A picture also goes where its page doesn't, so each one says
  /// what runs, and has a key.
  private mutating func draw(_ runs: [Run], of group: String) {
    for run in runs {
      let shown = "\(RelativePath.name(of: group)): \(run.title)\(run.remark)"
      func svg(_ style: Timeline.PictureStyle) -> String {
        run.recording.svg(part: run.part, title: shown, style: style, limit: Self.limit)
      }
      let text = svg(.wide)
      files["\(run.name).svg"] = text
      let isWide = Self.width(of: text) > Self.widestOnPhone
      if isWide { files["\(run.name)-narrow.svg"] = svg(.narrow) }
      groups[group, default: []].append(
        Picture(
          title: run.title, path: "\(run.name).svg",
          narrow: isWide ? "\(run.name)-narrow.svg" : nil,
          alternative: Self.alternative(title: run.title, text)))
      guard let keepers = run.keepers else { continue }
      let title = "\(run.title): who keeps whom"
      let path = "\(run.name)-keepers.svg"
      files[path] = keepers.svg(title: "\(RelativePath.name(of: group)): \(title)")
      groups[group, default: []].append(
        Picture(
          title: title, path: path, narrow: nil, alternative: "\(title). \(keepers.description)"))
    }
  }

  /// The group of pictures that a page shows; `nil` if it has none of its own.
  static func group(of page: String) -> String? {
    let name = RelativePath.name(of: page).dropLast(".md".count)
    return switch RelativePath.folder(of: page) {
    case "docs/scenarios": String(name)
    case OperatorPage.folder where page != OperatorPage.index: "operators/\(name)"
    case Recipe.folder where page != Recipe.index: "recipes/\(name)"
    default: nil
    }
  }

  /// The picture that a page shows.
  ///
  /// - Parameter path: The path of its file, as the page names it.
  func picture(at path: String, for location: Location) throws(Problem) -> Picture {
    let all = groups.merging(times) { $0 + $1 }
    if let picture = all.values.joined().first(where: { $0.path == path }) { return picture }
    let group = RelativePath.folder(of: path).dropFirst(Self.folder.count + 1)
    guard path.hasPrefix("\(Self.folder)/"), let pictures = all[String(group)] else {
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

  private static func width(of svg: String) -> Double {
    svg.firstMatch(of: /<svg[^>]* width="([0-9.]+)"/).flatMap { Double($0.1) } ?? 0
  }

  /// The title and the description. If that's too long, requests are left out, and then the lanes
  /// at the end.
  private static func alternative(title: String, _ svg: String) -> String {
    let description = svg.firstMatch(of: /<desc[^>]*>([^<]*)<\/desc>/)?.1 ?? ""
    let entities = [
      "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&apos;": "'", "&amp;": "&",
    ]
    let sentences = description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing(/&[a-z#0-9]+;/) { entities[String($0.0)] ?? String($0.0) }
      .split(separator: ". ").map { $0.hasSuffix(".") ? String($0) : $0 + "." }
    let whole = (["\(title)."] + sentences).joined(separator: " ")
    guard whole.count > longestAlternative else { return whole }
    var text = "\(title)."
    for sentence in sentences where !sentence.hasPrefix("request ") {
      guard text.count + sentence.count + rest.count + 2 <= longestAlternative else { break }
      text += " \(sentence)"
    }
    return "\(text) \(rest)"
  }
}
