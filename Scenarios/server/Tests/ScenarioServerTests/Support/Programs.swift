import Foundation
import Synchronization

/// The server's program. SwiftPM puts it in the same folder as the tests.
let serverProgram: URL = {
  let path =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: path).deletingLastPathComponent()
    .appendingPathComponent("scenario-server")
}()

/// Returns a scenario's program, built from the main package.
///
/// It's in the main package's `.build/debug`, unless `SCENARIOS_BIN` names another folder. Run
/// `swift build --show-bin-path` in the main package to find the folder.
func scenarioProgram(_ name: String) throws -> URL {
  let folder =
    ProcessInfo.processInfo.environment["SCENARIOS_BIN"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../../.build/debug")
    .standardized
  let program = folder.appendingPathComponent(name)
  guard FileManager.default.isExecutableFile(atPath: program.path) else {
    throw Program.Failure(
      description: "can't find a scenario at \(program.path). Run `swift build` in the main "
        + "package, or set SCENARIOS_BIN to the folder of its programs")
  }
  return program
}

/// Runs a scenario and waits until it ends.
func runScenario(_ name: String, _ arguments: String...) throws -> Program.Result {
  try runScenario(name, arguments)
}

func runScenario(_ name: String, _ arguments: [String]) throws -> Program.Result {
  try Program(scenarioProgram(name), arguments).result()
}

/// A new folder, removed together with this object, or at the latest when the tests end.
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
