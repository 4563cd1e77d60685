import ArgumentParser
import Foundation

// If the reader of the output is gone, writing fails with an error instead of ending the program.
signal(SIGPIPE, SIG_IGN)

// The database holds password hashes, so only its owner may read the files that this creates.
umask(0o077)

func complain(_ problem: String) {
  try? FileHandle.standardError.write(contentsOf: Data("scenario-server: \(problem)\n".utf8))
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
