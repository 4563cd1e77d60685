import Foundation
import Synchronization

/// The server's program: SwiftPM puts it where the running tests are.
let serverProgram: URL = {
  let path =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: path).deletingLastPathComponent()
    .appendingPathComponent("scenario-server")
}()

/// A program of the package above, as `swift build` there has left it.
///
/// `SCENARIOS_BIN` names the folder, if it is not `.build/debug`: what
/// `swift build --show-bin-path` prints there.
func scenarioProgram(_ name: String) throws -> URL {
  let folder =
    ProcessInfo.processInfo.environment["SCENARIOS_BIN"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../../.build/debug")
    .standardized
  let program = folder.appendingPathComponent(name)
  guard FileManager.default.isExecutableFile(atPath: program.path) else {
    throw Program.Failure(
      description: "no scenario at \(program.path): run `swift build` in the package above, or "
        + "name the folder in SCENARIOS_BIN")
  }
  return program
}

/// Runs a scenario to its end.
func runScenario(_ name: String, _ arguments: String...) throws -> Program.Result {
  try runScenario(name, arguments)
}

func runScenario(_ name: String, _ arguments: [String]) throws -> Program.Result {
  try Program(scenarioProgram(name), arguments).result()
}

/// A folder of its own for each that asks, removed with it or when the tests end.
final class TemporaryFolder: Sendable {
  private static let made: Mutex<[URL]> = {
    atexit {
      TemporaryFolder.made.withLock { urls in
        for url in urls { try? FileManager.default.removeItem(at: url) }
      }
    }
    return Mutex([])
  }()

  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("scenario-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.made.withLock { [url] in $0.append(url) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
