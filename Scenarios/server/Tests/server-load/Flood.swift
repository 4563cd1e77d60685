import Foundation
import ServerTestSupport

/// Clients that log in with wrong passwords all the time, each from an address of its own and to an
/// account of its own. No two floods share an address or an account, because the server might still
/// refuse them.
struct Flood {
  static let clients = 8
  static let connectionsPerClient = 4

  private let runs: [ApacheBench.Run]

  /// Starts the flood.
  ///
  /// - Parameters:
  ///   - round: A number from 1 to 250 that differs in each flood.
  ///   - seconds: It ends after this time even if it's never stopped.
  init(_ round: Int, on server: Target, seconds: Int) throws {
    runs = try (1...Self.clients).map { number in
      try ApacheBench(
        request: server.login(
          Request.basic("flood-\(round)-\(number)@load.test", "a wrong password")),
        address: "127.1.\(round).\(number)", connections: Self.connectionsPerClient,
        bounds: .init(requests: 1_000_000, seconds: seconds), isNice: true
      )
      .start(in: server.folder)
    }
  }

  /// Ends the flood.
  ///
  /// - Returns: The responses that the clients got.
  /// - Throws: `Program.Failure` if a client had ended before, or if a login succeeded.
  func stop() throws -> Sample {
    let ended = runs.filter { !$0.isRunning }.count
    for run in runs { run.interrupt() }
    let sample = Sample(merging: try runs.map { try $0.sample(patience: .seconds(60)) })
    guard ended == 0 else {
      throw Program.Failure(
        description: "\(ended) of \(runs.count) clients of the flood ended before the round did")
    }
    guard sample.successes == 0 else {
      throw Program.Failure(description: "\(sample.successes) wrong passwords were right")
    }
    return sample
  }
}
