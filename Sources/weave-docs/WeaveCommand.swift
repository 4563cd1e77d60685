/// The command line: `weave-docs [--check | --list | --words] [--root DIR]`.
struct WeaveCommand {
  /// The output and the exit status of a run.
  struct Outcome: Equatable {
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  static let help = """
    Usage: weave-docs [--check | --list | --words] [--root DIR]

    Writes the blocks in README.md and in the pages below docs, from sources and snapshots.

      --check      write nothing; exit with 1 and list the pages that are stale
      --list       print each scenario's name and summary
      --words      check the words and sentences of pages, comments, messages and help
      --root DIR   the package's folder; by default the current one
      --help       print this

    A block stands between <!-- weave: DIRECTIVE --> and <!-- /weave -->. Directives:

    \(Directive.usages.map { "  " + $0.1 }.joined(separator: "\n"))

    Exit codes: 0 if all went well, 1 if something is wrong or stale, 64 if the usage is wrong.
    """

  private enum Action {
    case weave
    case check
    case list
    case words
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
    if action == .help { return Outcome(output: help.lines) }
    let tree = open(root)
    guard tree.kind(of: "Package.swift") == .file else {
      return misuse("no Package.swift in \(root): run it in the package root or give --root DIR")
    }
    if action == .list { return list(tree) }
    if action == .words { return words(tree) }
    let weaver = Weaver(tree)
    guard weaver.problems.isEmpty else {
      return failure(weaver.problems.map(\.description), "nothing written")
    }
    return action == .check ? check(weaver.pages) : write(weaver.pages, to: tree)
  }

  private static func parse(_ arguments: [String]) throws(UsageError) -> (Action, String) {
    var action = Action.weave
    var root = "."
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return (.help, root)
      case "--check", "--list", "--words":
        guard action == .weave else {
          throw UsageError(message: "give only one of --check, --list and --words")
        }
        action = argument == "--check" ? .check : argument == "--list" ? .list : .words
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

  private static func check(_ pages: [WovenPage]) -> Outcome {
    let stale = pages.compactMap(\.firstDifference).map(\.description)
    guard stale.isEmpty else { return failure(stale, "run make docs") }
    return Outcome(output: ["\(count(pages.count, "page")) up to date"])
  }

  private static func write(_ pages: [WovenPage], to tree: any FileTree) -> Outcome {
    let stale = pages.filter(\.isStale)
    do throws(FileFailure) {
      try tree.replace(
        with: Dictionary(stale.map { ($0.path, $0.text) }, uniquingKeysWith: { $1 }))
    } catch {
      return failure(["\(error)"], "the pages were not all written")
    }
    return Outcome(
      output: stale.map { "wrote \($0.path)" }
        + ["\(count(pages.count, "page")), \(stale.count) written"])
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
