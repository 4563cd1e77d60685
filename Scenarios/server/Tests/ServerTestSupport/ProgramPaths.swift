import Foundation

/// The server's program. SwiftPM puts it in the same folder as the tests and programs that use it.
package let serverProgram = programs.appendingPathComponent("scenario-server")

/// The server with other limits. Its arguments are a database file, and limits: `connections=8`.
package let limitedServerProgram = programs.appendingPathComponent("limited-server")

private let programs: URL = {
  let path =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: path).deletingLastPathComponent()
}()

/// Returns a scenario's program, built from the main package.
///
/// It's in the main package's `.build/debug`, unless `SCENARIOS_BIN` names another folder. Run
/// `swift build --show-bin-path` in the main package to find the folder.
package func scenarioProgram(_ name: String) throws -> URL {
  let folder =
    ProcessInfo.processInfo.environment["SCENARIOS_BIN"].map { URL(fileURLWithPath: $0) }
    ?? repositoryFile(".build/debug")
  let program = folder.appendingPathComponent(name)
  guard FileManager.default.isExecutableFile(atPath: program.path) else {
    throw Program.Failure(
      description: "can't find a scenario at \(program.path). Run `swift build` in the main "
        + "package, or set SCENARIOS_BIN to the folder of its programs")
  }
  return program
}

/// The scenarios that the main package's manifest lists.
package let scenarios: [String] = {
  let manifest = repositoryFile("Package.swift")
  guard let text = try? String(contentsOf: manifest, encoding: .utf8),
    let start = text.range(of: "let scenarios = [\n"),
    let end = text.range(of: "\n]", range: start.upperBound..<text.endIndex)
  else { return [] }
  return text[start.upperBound..<end.lowerBound].split(separator: "\n")
    .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \",")) }
}()

/// Returns a file of the repository.
///
/// - Parameter path: The path from the root, such as `Package.swift`.
package func repositoryFile(_ path: String) -> URL {
  URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../\(path)").standardized
}

/// Runs a scenario and waits until it ends.
package func runScenario(_ name: String, _ arguments: String...) throws -> Program.Result {
  try runScenario(name, arguments)
}

package func runScenario(_ name: String, _ arguments: [String]) throws -> Program.Result {
  try Program(scenarioProgram(name), arguments).result()
}
