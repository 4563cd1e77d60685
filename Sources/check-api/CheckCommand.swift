import Foundation

/// The command line: `check-api [--root DIR] GRAPHS` or `check-api --documented GRAPHS...`.
struct CheckCommand {
  struct Outcome: Equatable {
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  static let help = """
    Usage: check-api [--root DIR] GRAPHS
           check-api --documented GRAPHS...

    Compares the symbol graphs in the folder GRAPHS with the table of Combine's public symbols,
    docs/reference/combine-api.tsv. Symbols that Combine doesn't have stand in
    docs/reference/additions.tsv, each with a reason.

      --root DIR    the package's folder; by default the current one
      --documented  list the public symbols without a comment instead
      --help        print this

    Exit codes: 0 if all is well, 1 if something is missing or different, 64 if the usage is wrong.
    """

  static func run(_ arguments: [String]) -> Outcome {
    var root = "."
    var findsComments = false
    var folders: [URL] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return Outcome(output: help.components(separatedBy: "\n"))
      case "--documented": findsComments = true
      case "--root":
        guard let value = rest.popFirst() else { return misuse("--root needs a folder") }
        root = value
      default:
        guard !argument.hasPrefix("-") else {
          return misuse("unknown argument '\(argument)': see check-api --help")
        }
        folders.append(URL(fileURLWithPath: argument, isDirectory: true))
      }
    }
    if folders.isEmpty { return misuse("name the folder of the symbol graphs") }
    if folders.count > 1, !findsComments { return misuse("name only one folder") }
    do {
      let library = Library(try folders.flatMap(graphs))
      if findsComments { return outcome(ofComments: library) }
      let package = URL(fileURLWithPath: root, isDirectory: true)
      func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
      }
      let table = "docs/reference/combine-api.tsv"
      let additions = "docs/reference/additions.tsv"
      return outcome(
        Comparison(
          library, table: APITable(try text(table), file: table),
          additions: Additions(try text(additions), file: additions)))
    } catch {
      return Outcome(errors: ["check-api: \(error.localizedDescription)"], status: 1)
    }
  }

  /// The symbols without a comment, except those that get it from a protocol's requirement.
  private static func outcome(ofComments library: Library) -> Outcome {
    let entries = library.entries.values.joined()
    let silent = entries.filter { !$0.isDocumented && !library.fulfilsRequirement($0) }
    let places = silent.map { entry in
      "\(entry.location ?? entry.module): `\(entry.path)` is public, but has no comment: add one"
    }
    guard silent.isEmpty else {
      return Outcome(errors: places.sorted(), status: 1)
    }
    return Outcome(output: ["comments: \(entries.count) public symbols, no comment is missing"])
  }

  private static func outcome(_ comparison: Comparison) -> Outcome {
    Outcome(
      output: [comparison.summary], errors: comparison.problems.map(\.description),
      status: comparison.problems.isEmpty ? 0 : 1)
  }

  /// The symbol graphs of a folder: `Streams.symbols.json` and `Streams@Swift.symbols.json`.
  private static func graphs(in folder: URL) throws -> [(module: String, graph: SymbolGraph)] {
    let suffix = ".symbols.json"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(suffix) }.sorted()
    if names.isEmpty { throw CocoaError(.fileNoSuchFile) }
    return try names.map { name in
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      let module = name.dropLast(suffix.count).prefix { $0 != "@" }
      return (String(module), try JSONDecoder().decode(SymbolGraph.self, from: data))
    }
  }

  private static func misuse(_ message: String) -> Outcome {
    Outcome(errors: ["check-api: \(message)"], status: 64)
  }
}
