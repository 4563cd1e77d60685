import Foundation
import ScenarioServer

// The server with other limits, for tests: `limited-server FILE requestSeconds=1 …`.

let limits: [String: WritableKeyPath<Limits, Int>] = [
  "connections": \.connections, "connectionsPerClient": \.connectionsPerClient,
  "requestSeconds": \.requestSeconds,
  "responseSeconds": \.responseSeconds, "drainSeconds": \.drainSeconds,
  "drainBytes": \.drainBytes, "todosPerUser": \.todos.todosOfAUser,
  "databaseLockSeconds": \.databaseLockSeconds,
]

func fail(_ problem: String) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data("\(problem)\n".utf8))
  exit(EXIT_FAILURE)
}

var changed = Limits()
for argument in CommandLine.arguments.dropFirst(2) {
  let parts = argument.split(separator: "=")
  guard parts.count == 2, let limit = limits[String(parts[0])], let value = Int(parts[1]) else {
    fail("there's no limit \(argument)")
  }
  changed[keyPath: limit] = value
}
do {
  try await ScenarioServer(
    host: "127.0.0.1", port: 0, database: CommandLine.arguments[1], tokenLifetime: 3600,
    limits: changed
  )
  .run { line in
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
} catch { fail("\(error)") }
