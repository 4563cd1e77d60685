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
    docs/reference/combine-api.tsv. A symbol that Combine doesn't have is an error.

      --root DIR    the package's folder; by default the current one
      --documented  list the public symbols without a comment instead
      --help        print this

    Exit codes: 0 if all is well, 1 if something is missing or different, 64 if the usage is wrong.
    """

  static func run(_ arguments: [String]) -> Outcome {
    var root = "."
    var findsComments = false
    var folders: [String] = []
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
        folders.append(argument)
      }
    }
    if folders.isEmpty { return misuse("name the folder of the symbol graphs") }
    if folders.count > 1, !findsComments { return misuse("name only one folder") }
    do {
      let library = Library(try folders.flatMap(graphs))
      if findsComments { return outcome(ofComments: library) }
      func text(_ path: String) throws -> String {
        try self.text(root == "." ? path : root + "/" + path)
      }
      let table = "docs/reference/combine-api.tsv"
      return outcome(Comparison(library, table: APITable(try text(table), file: table)))
    } catch {
      return Outcome(errors: ["check-api: \(error)"], status: 1)
    }
  }

  /// A file that can't be used.
  private struct FileProblem: Error, CustomStringConvertible {
    let file: String
    /// The problem, and what to do.
    let advice: String

    var description: String { "\(file) \(advice)" }
  }

  /// The text of a table.
  private static func text(_ file: String) throws(FileProblem) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw FileProblem(
        file: file, advice: "can't be opened: name the package's folder with --root")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw FileProblem(file: file, advice: "isn't UTF-8 text: save it as UTF-8")
    }
    return text
  }

  /// The symbols without a comment, except those that a protocol's requirement or an operator
  /// explains.
  private static func outcome(ofComments library: Library) -> Outcome {
    let entries = library.entries.values.joined()
    let silent = entries.filter {
      !$0.isDocumented && !library.fulfilsRequirement($0) && !library.repeatsAnOperator($0)
    }
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
      output: [comparison.summary].compactMap(\.self),
      errors: comparison.problems.map(\.description),
      status: comparison.problems.isEmpty ? 0 : 1)
  }

  /// The symbol graphs of a folder: `Streams.symbols.json` and `Streams@Swift.symbols.json`.
  private static func graphs(
    in folder: String
  ) throws(FileProblem) -> [(module: String, graph: SymbolGraph)] {
    let suffix = ".symbols.json"
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw FileProblem(
        file: folder, advice: "can't be opened as a folder: `make api` makes one with the graphs")
    }
    let names = files.filter { $0.hasSuffix(suffix) }.sorted()
    if names.isEmpty {
      throw FileProblem(
        file: folder, advice: "has no files *\(suffix): `make api` makes a folder with the graphs")
    }
    var graphs: [(module: String, graph: SymbolGraph)] = []
    for name in names {
      let file = folder + "/" + name
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)),
        let graph = try? JSONDecoder().decode(SymbolGraph.self, from: data)
      else {
        throw FileProblem(
          file: file, advice: "can't be read as a symbol graph: make it again with `make api`")
      }
      graphs.append((String(name.dropLast(suffix.count).prefix { $0 != "@" }), graph))
    }
    return graphs
  }

  private static func misuse(_ message: String) -> Outcome {
    Outcome(errors: ["check-api: \(message)"], status: 64)
  }
}
