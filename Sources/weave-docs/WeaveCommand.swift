/// The command line: `weave-docs [--check | --list | --words | --new NAME] [--root DIR]`.
struct WeaveCommand {
  /// The output and the exit status of a run.
  struct Outcome: Equatable {
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  static let help = """
    Usage: weave-docs [--check | --list | --words | --new NAME] [--root DIR]

    Writes the blocks in README.md and in the pages below docs, from sources and snapshots, and the
    pictures in docs/pictures.

      --check      write nothing; exit with 1 and list what is stale or still to write
      --list       print each scenario's name and summary
      --words      check the words and sentences of pages, comments, messages and help
      --new NAME   start a scenario: its folder, its page, and its entries in the lists
      --root DIR   the package's folder; by default the current one
      --help       print this

    A block is a code block that names its source, a picture, or a list below a comment:

    \(Directive.usages.map { "  " + $0 }.joined(separator: "\n"))

    Exit codes: 0 if all went well, 1 if something is wrong or stale, 64 if the usage is wrong.
    """

  private enum Action: Equatable {
    case weave
    case check
    case list
    case words
    case new(String)
    case help
  }

  private struct UsageError: Error {
    let message: String
  }

  /// - Parameter open: Makes the tree of a folder.
  static func run(_ arguments: [String], open: (_ root: String) -> any FileTree) -> Outcome {
    let (action, root): (Action, String)
    do throws(UsageError) {
      (action, root) = try parse(arguments)
    } catch {
      return misuse(error.message)
    }
    let tree = open(root)
    guard action == .help || tree.kind(of: "Package.swift") == .file else {
      return misuse("no Package.swift in \(root): run it in the package root or give --root DIR")
    }
    switch action {
    case .help: return Outcome(output: help.lines)
    case .list: return list(tree)
    case .words: return words(tree)
    case .new(let name): return start(NewScenario(name, in: tree), in: tree)
    case .check, .weave: return weave(tree, writes: action == .weave)
    }
  }

  private static func weave(_ tree: any FileTree, writes: Bool) -> Outcome {
    let weaver = Weaver(tree)
    guard weaver.problems.isEmpty else {
      return failure(weaver.problems.map(\.description), "nothing written")
    }
    return writes ? write(weaver, to: tree) : check(weaver, in: tree)
  }

  private static func parse(_ arguments: [String]) throws(UsageError) -> (Action, String) {
    var action = Action.weave
    var root = "."
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return (.help, root)
      case "--check", "--list", "--words", "--new":
        guard action == .weave else {
          throw UsageError(message: "give only one of --check, --list, --words and --new")
        }
        action =
          switch argument {
          case "--check": .check
          case "--list": .list
          case "--words": .words
          default: .new(try name(rest.popFirst()))
          }
      case "--root":
        guard let folder = rest.popFirst(), !folder.isEmpty else {
          throw UsageError(message: "--root needs a folder: --root DIR")
        }
        root = folder
      default:
        throw UsageError(message: "unknown argument '\(argument)': see weave-docs --help")
      }
    }
    return (action, root)
  }

  private static func name(_ argument: String?) throws(UsageError) -> String {
    guard let name = argument, NewScenario.isName(name) else {
      throw UsageError(
        message: "a scenario can't be named '\(argument ?? "")': use lowercase letters, digits and"
          + " single hyphens, and begin with a letter, as in hello-stream")
    }
    return name
  }

  private static func start(_ new: NewScenario, in tree: any FileTree) -> Outcome {
    let files: [String: String]
    do throws(Problem) {
      if let conflict = try new.conflict() {
        return Outcome(errors: ["weave-docs: \(conflict)"], status: 1)
      }
      files = try new.files()
    } catch {
      return failure([error.description], "nothing written")
    }
    do throws(FileFailure) {
      try tree.write(files)
    } catch {
      return failure(["\(error)"], "nothing written")
    }
    return Outcome(output: files.keys.sorted().map { "wrote \($0)" })
  }

  private static func list(_ tree: any FileTree) -> Outcome {
    var problems: [Problem] = []
    let scenarios = ScenarioCatalogue(tree, problems: &problems).scenarios
    guard problems.isEmpty else { return failure(problems.map(\.description), "no list") }
    let width = scenarios.map(\.name.count).max() ?? 0
    return Outcome(
      output: scenarios.map { scenario in
        let gap = String(repeating: " ", count: width - scenario.name.count)
        return "\(scenario.name)\(gap)  \(scenario.summary)"
      })
  }

  private static func words(_ tree: any FileTree) -> Outcome {
    let check = WordCheck(tree)
    guard check.problems.isEmpty else {
      let summary = "weave-docs: \(count(check.problems.count, "problem")) with words"
      return Outcome(errors: check.problems.map(\.description) + [summary], status: 1)
    }
    return Outcome(output: ["words: \(count(check.fileCount, "file")), no problem"])
  }

  private static func check(_ weaver: Weaver, in tree: any FileTree) -> Outcome {
    let pages = weaver.pages
    let files = weaver.pictures.files
    let stale =
      pages.compactMap(\.firstDifference) + PicturesShown.stale(files, in: tree)
      + PicturesShown.orphans(files, in: tree).map {
        Location(path: $0, line: 1).problem("no run draws this picture: make docs would remove it")
      }
    guard stale.isEmpty else { return failure(stale.map(\.description), "run make docs") }
    let hidden = PicturesShown.missing(from: pages, groups: weaver.pictures.groups)
    guard hidden.isEmpty else {
      return failure(hidden.map(\.description), "show each part's picture, then run make docs")
    }
    let prompts = Prompts.problems(in: pages, tree: tree).sorted().map(\.description)
    guard prompts.isEmpty else {
      return failure(prompts, "replace what stands there, then remove each of these comments")
    }
    let missing = weaver.operators.missing
    guard missing.isEmpty else {
      return failure(missing.map(\.description), "write a page for each operator")
    }
    return Outcome(output: ["\(count(pages.count, "page")) up to date"])
  }

  private static func write(_ weaver: Weaver, to tree: any FileTree) -> Outcome {
    let files = weaver.pictures.files
    let stale = weaver.pages.filter(\.isStale).map { ($0.path, $0.text) }
    let drawn = PicturesShown.stale(files, in: tree).map { $0.location.path }
    let orphans = PicturesShown.orphans(files, in: tree)
    do throws(FileFailure) {
      try tree.write(
        Dictionary(stale + drawn.map { ($0, files[$0] ?? "") }, uniquingKeysWith: { $1 }))
      try tree.remove(orphans)
    } catch {
      return failure(["\(error)"], "the pages were not all written")
    }
    let pictures = files.isEmpty ? "" : ", \(count(files.count, "picture"))"
    return Outcome(
      output: stale.map { "wrote \($0.0)" } + drawn.map { "wrote \($0)" }
        + orphans.map { "removed \($0)" }
        + [
          "\(count(weaver.pages.count, "page"))\(pictures), \(stale.count + drawn.count) written"
        ])
  }

  private static func failure(_ problems: [String], _ consequence: String) -> Outcome {
    let summary = "weave-docs: \(count(problems.count, "problem")), \(consequence)"
    return Outcome(errors: problems + [summary], status: 1)
  }

  private static func misuse(_ message: String) -> Outcome {
    Outcome(errors: ["weave-docs: \(message)"], status: 64)
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
