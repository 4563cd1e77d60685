import Foundation

/// A build of the program with the package manager.
struct Build {
  struct Problem: Error {
    let message: String
  }

  let program: String
  let package: URL

  /// Builds the program.
  ///
  /// - Returns: The executable, or what the compiler says.
  func run() async -> Result<URL, Problem> {
    let (status, output) = await swift(["build", "--product", program])
    guard status == 0 else {
      return .failure(Problem(message: Self.firstError(in: output, package)))
    }
    let (_, path) = await swift(["build", "--show-bin-path"])
    let folder = path.split(separator: "\n").last.map(String.init) ?? ""
    return .success(URL(fileURLWithPath: folder).appending(path: program))
  }

  /// The compiler's first error, with its lines of code. Others often follow from it.
  private static func firstError(in output: String, _ package: URL) -> String {
    let lines = output.split(separator: "\n").map(String.init)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("/") && $0.contains(": error: ") })
    else { return output }
    let code = lines[(first + 1)...].prefix { $0.contains("|") }
    return (lines[first...first] + code).joined(separator: "\n")
      .replacingOccurrences(of: package.path + "/", with: "")
  }

  private func swift(_ arguments: [String]) async -> (status: Int32, output: String) {
    await withCheckedContinuation { continuation in
      Thread {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        process.currentDirectoryURL = package
        process.standardOutput = pipe
        process.standardError = pipe
        do {
          try process.run()
        } catch {
          return continuation.resume(returning: (1, "can't start swift: \(error)"))
        }
        let data = (try? pipe.fileHandleForReading.readToEnd()).flatMap { $0 } ?? Data()
        process.waitUntilExit()
        continuation.resume(
          returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
      }
      .start()
    }
  }
}
