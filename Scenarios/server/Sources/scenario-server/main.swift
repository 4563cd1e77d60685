import ArgumentParser
import Foundation
import ScenarioServer

// If the reader of the output is gone, writing fails with an error instead of ending the program.
signal(SIGPIPE, SIG_IGN)

// Where the size of files is limited (`ulimit -f`), writing fails instead of ending the program.
signal(SIGXFSZ, SIG_IGN)

// The database holds password hashes, so only its owner may read the files that this creates.
umask(0o077)

func complain(_ problem: String) {
  // A part of it may come from an argument, and a terminal would obey control characters.
  let shown = problem.unicodeScalars.prefix(1_000).map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
    default: String(scalar)
    }
  }
  let end = problem.unicodeScalars.dropFirst(1_000).isEmpty ? "" : "…"
  let line = "scenario-server: \(shown.joined())\(end)\n"
  try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
}

let command: ServeCommand
do {
  command = try ServeCommand.parse()
} catch  where ServeCommand.exitCode(for: error).isSuccess {
  // `--help`.
  print(ServeCommand.fullMessage(for: error))
  exit(EXIT_SUCCESS)
} catch {
  complain(ServeCommand.message(for: error) + " (see --help)")
  exit(ServeCommand.exitCode(for: error).rawValue)
}

do {
  try await ScenarioServer(
    host: command.host, port: command.port, database: command.database,
    tokenLifetime: command.tokenLifetime
  )
  .run { line in
    // Unbuffered, because a program may be waiting for this line at the other end of a pipe.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
} catch {
  complain("\(error)")
  exit(EXIT_FAILURE)
}
