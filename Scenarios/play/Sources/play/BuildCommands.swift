import Foundation

/// The commands with which the package manager compiled and linked a program.
///
/// To repeat them takes less than half as long as to ask the package manager, which reads the whole
/// package first. They come from what `swift build --verbose` prints. If that ever looks different,
/// nothing is found here, and each build asks the package manager.
struct BuildCommands: Sendable {
  private var compile: String?
  private var link: String?
  /// The source files of the program's module.
  private var sources: Set<String> = []
  /// How often in a row they didn't work where the package manager's did.
  private var failures = 0

  /// Keeps the commands that a build of a program printed.
  mutating func note(_ output: String, of program: URL) {
    for line in output.split(separator: "\n") where line.contains("swiftc ") {
      if line.contains(" -emit-executable "), line.contains(" -o \(program.path) ") {
        link = plain(line) + Self.fastLinker
      }
    }
    guard let link, let module = link.firstMatch(of: #/ -module-name (\S+) /#)?.1,
      let line = output.split(separator: "\n").last(where: {
        $0.contains("swiftc -module-name \(module) ") && $0.contains(" -emit-module ")
      }), let list = line.firstMatch(of: #/ -c @(\S+) /#)?.1,
      let paths = try? String(contentsOfFile: String(list), encoding: .utf8)
    else { return }
    compile = plain(line)
    sources = Set(paths.split(separator: "\n").map(String.init))
  }

  /// Notes whether the commands worked, or failed where the package manager's didn't. That may
  /// happen once or twice, if they met a file that was being saved.
  mutating func note(worked: Bool) { failures = worked ? 0 : failures + 1 }

  /// The commands for a shell that build the program again; `nil` if the package manager has to do
  /// that, because more than the program's own files has changed.
  func commands(forChanged changed: Set<String>) -> [String]? {
    guard let compile, let link, failures < 3, !changed.isEmpty, changed.isSubset(of: sources),
      sources.allSatisfy(FileManager.default.fileExists)
    else { return nil }
    return [compile, link]
  }

  // The toolchain's own linker takes half as long as the usual one.
  #if os(Linux)
    private static let fastLinker = " -use-ld=lld"
  #else
    private static let fastLinker = ""
  #endif

  /// A command that prints what people read, and that builds in any case. An incremental one misses
  /// the second of two changes within a second.
  private func plain(_ command: Substring) -> String {
    command.split(separator: " ")
      .filter { !["-v", "-parseable-output", "-incremental"].contains($0) }
      .joined(separator: " ")
  }
}
