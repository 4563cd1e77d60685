import Foundation
import GRDB
import ServerTestSupport

/// Clients that send the same requests all the time, which a server should survive.
struct Flood {
  enum Kind: String, CaseIterable, Sendable {
    /// Logins with wrong passwords, each client from an address of its own and to an account of its
    /// own. No two floods share an address or an account, because the server might still refuse
    /// them.
    case logins
    /// New todos, while another program holds the database.
    case blockedChanges = "changes"
  }

  static let clients = 8
  static let connectionsPerClient = 4

  private let kind: Kind
  private let runs: [ApacheBench.Run]
  /// What holds the database.
  private let lock: DatabaseQueue?

  /// Starts the flood.
  ///
  /// - Parameters:
  ///   - round: A number from 1 to 250 that differs in each flood.
  ///   - seconds: It ends after this time even if it's never stopped.
  init(_ kind: Kind, _ round: Int, on server: Target, seconds: Int) throws {
    self.kind = kind
    let bounds = ApacheBench.Bounds(requests: 1_000_000, seconds: seconds)
    switch kind {
    case .logins:
      lock = nil
      runs = try (1...Self.clients).map { number in
        try ApacheBench(
          request: server.login(
            Request.basic("flood-\(round)-\(number)@load.test", "a wrong password")),
          address: "127.1.\(round).\(number)", connections: Self.connectionsPerClient,
          bounds: bounds, isNice: true
        )
        .start(in: server.folder)
      }
    case .blockedChanges:
      let clients = try server.clients(.write, connections: 1, bounds: bounds)
      // The transaction lasts until the end of the flood.
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      lock = try DatabaseQueue(path: server.server.database, configuration: configuration)
      try lock?.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      // `ab` waits for its first response. The first client gets none for a while.
      runs = try clients.flatMap { client in
        try [1, Self.clients - 1].map { connections in
          var client = client
          client.connections = connections
          client.isNice = true
          return try client.start(in: server.folder)
        }
      }
    }
  }

  /// Ends the flood.
  ///
  /// - Returns: The responses that the clients got.
  /// - Throws: `Program.Failure` if a client had ended before, or if a request succeeded.
  func stop() throws -> Sample {
    let ended = runs.filter { !$0.isRunning }.count
    for run in runs { run.interrupt() }
    let sample = Sample(merging: try runs.map { try $0.sample(patience: .seconds(60)) })
    try lock?.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try lock?.close()
    guard ended == 0 else {
      throw Program.Failure(
        description: "\(ended) of \(runs.count) clients of the flood ended before the round did")
    }
    guard sample.successes == 0 else {
      throw Program.Failure(
        description: "\(sample.successes) \(kind.rawValue) of the flood succeeded")
    }
    return sample
  }
}
