import ArgumentParser
import Foundation
import ScenarioServer

// A reader that has gone is reported as an error, not by a signal that ends the program.
signal(SIGPIPE, SIG_IGN)

// What it makes, holds hashes of passwords: nobody else's business.
umask(0o077)

func complain(_ problem: String) {
  try? FileHandle.standardError.write(contentsOf: Data("scenario-server: \(problem)\n".utf8))
}

let command: ServeCommand
do {
  command = try ServeCommand.parse()
} catch  where ServeCommand.exitCode(for: error).isSuccess {
  // Asked for, and so no error: the help.
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
    // Unbuffered, for a program that waits for it at the other end of a pipe.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
} catch {
  complain("\(error)")
  exit(EXIT_FAILURE)
}
