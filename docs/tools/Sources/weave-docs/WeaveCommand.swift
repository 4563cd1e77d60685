/// The command line: `weave-docs [--check | --new NAME]`, in the package's folder.
struct WeaveCommand {
  /// The output and the exit status of a run.
  struct Outcome: Equatable {
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  static let help = """
    Usage: weave-docs [--check | --new NAME]

    Writes the blocks in README.md and in the pages below docs, from sources and snapshots, and the
    pictures in docs/pictures. Run it in the package's folder. CONTRIBUTING.md describes the blocks.

      --check      write nothing; exit with 1 and list what is stale or still to write
      --new NAME   start a scenario: its folder, its page, and its entries in the lists
      --help       print this

    Exit codes: 0 if all went well, 1 if something is wrong or stale, 64 if the usage is wrong.
    """

  private struct UsageError: Error {
    let message: String
  }

  /// - Parameter tree: The package.
  static func run(_ arguments: [String], in tree: any FileTree) -> Outcome {
    do throws(UsageError) {
      switch (arguments.first, arguments.count) {
      case ("--help", _), ("-h", _): return Outcome(output: help.lines)
      case (nil, _), ("--check", 1), ("--new", 2): break
      default:
        throw UsageError(
          message: "can't read '\(arguments.joined(separator: " "))': see weave-docs --help")
      }
      guard tree.kind(of: "Package.swift") == .file else {
        throw UsageError(message: "no Package.swift here: run it in the package's folder")
      }
      if arguments.count == 2 {
        guard NewScenario.isName(arguments[1]) else {
          throw UsageError(
            message:
              "a scenario can't be named '\(arguments[1])': use lowercase letters, digits and"
              + " single hyphens, and begin with a letter, as in hello-stream")
        }
        return start(NewScenario(arguments[1], in: tree), in: tree)
      }
      let weaver = Weaver(tree)
      guard weaver.problems.isEmpty else { return failure(weaver.problems, "nothing written") }
      return arguments.isEmpty ? write(weaver, to: tree) : check(weaver, in: tree)
    } catch {
      return Outcome(errors: ["weave-docs: \(error.message)"], status: 64)
    }
  }

  private static func start(_ new: NewScenario, in tree: any FileTree) -> Outcome {
    do throws(Problem) {
      if let conflict = try new.conflict() {
        return Outcome(errors: ["weave-docs: \(conflict)"], status: 1)
      }
      let files = try new.files()
      try tree.write(files)
      return Outcome(output: files.keys.sorted().map { "wrote \($0)" })
    } catch {
      return failure([error], "nothing started")
    }
  }

  private static func check(_ weaver: Weaver, in tree: any FileTree) -> Outcome {
    let (pages, pictures) = (weaver.pages, weaver.pictures)
    let stale =
      pages.compactMap(\.firstDifference)
      + PicturesShown.stale(pictures.files, in: tree).map {
        Location(path: $0, line: 1).problem("stale: make docs would write another picture")
      }
      + PicturesShown.orphans(pictures.files, in: tree).map {
        Location(path: $0, line: 1).problem("no run draws this picture: make docs would remove it")
      }
    let checks = [
      (stale, "run make docs"),
      (
        PicturesShown.missing(from: pages, groups: pictures.groups),
        "show each part's picture, then run make docs"
      ),
      (
        Prompts.problems(in: pages, tree: tree).sorted(),
        "replace what stands there, then remove each of these comments"
      ),
      (weaver.operators.missing, "write a page for each operator"),
    ]
    if let (problems, advice) = checks.first(where: { !$0.0.isEmpty }) {
      return failure(problems, advice)
    }
    return Outcome(output: ["\(pages.count) pages up to date"])
  }

  private static func write(_ weaver: Weaver, to tree: any FileTree) -> Outcome {
    let pictures = weaver.pictures.files
    var files: [String: String] = [:]
    for page in weaver.pages where page.isStale { files[page.path] = page.text }
    for path in PicturesShown.stale(pictures, in: tree) { files[path] = pictures[path] }
    let orphans = PicturesShown.orphans(pictures, in: tree)
    do throws(Problem) {
      try tree.write(files)
      for path in orphans { try tree.remove(path) }
    } catch {
      return failure([error], "the pages were not all written")
    }
    let summary =
      "\(weaver.pages.count) pages, \(pictures.count) pictures, \(files.count) written"
    return Outcome(
      output: files.keys.sorted().map { "wrote \($0)" } + orphans.map { "removed \($0)" }
        + [summary])
  }

  private static func failure(_ problems: [Problem], _ consequence: String) -> Outcome {
    let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
    return Outcome(
      errors: problems.map(\.description) + ["weave-docs: \(count), \(consequence)"], status: 1)
  }
}
