import Foundation
import ServerTestSupport

/// A client of the server: `ab`, which sends the same request again and again, on a number of
/// connections at a time.
struct ApacheBench: Sendable {
  /// The limits of a run. It ends at the first that it reaches.
  struct Bounds: Sendable {
    var requests: Int
    var seconds: Int
  }

  var request: Request
  /// The address that the connections come from, such as 127.0.1.1.
  var address: String
  var connections: Int
  var bounds: Bounds
  /// Whether it runs at the lowest priority, so that it takes little of the server's processors.
  var isNice = false

  /// A run of `ab`.
  struct Run {
    fileprivate let program: Program
    fileprivate let percentiles: String

    var isRunning: Bool { program.isRunning }

    /// Makes `ab` stop and print the results so far.
    func interrupt() { program.signal(SIGINT) }

    /// Waits until `ab` ends.
    func sample(patience: DispatchTimeInterval) throws -> Sample {
      let result = try program.result(patience: patience)
      return try Sample(
        output: result.stdout, errors: result.stderr,
        percentiles: try? String(contentsOfFile: percentiles, encoding: .utf8))
    }
  }

  /// Starts `ab`. Its results go into a new file of the folder.
  func start(in folder: TemporaryFolder) throws -> Run {
    let percentiles = folder.path("\(UUID().uuidString).csv")
    let ab = ["ab"] + arguments(percentiles: percentiles)
    let program = try Interruption.start(
      URL(fileURLWithPath: "/usr/bin/env"), (isNice ? ["nice", "-n", "19"] : []) + ab)
    return Run(program: program, percentiles: percentiles)
  }

  /// Starts `ab` and waits until it ends.
  func run(in folder: TemporaryFolder) throws -> Sample {
    try start(in: folder).sample(patience: .seconds(bounds.seconds + 2 * Self.patience))
  }

  /// How long `ab` waits for any response, in seconds. Then it gives up.
  private static let patience = 30

  func arguments(percentiles: String) -> [String] {
    var arguments = [
      "-q", "-l", "-r",
      // Prints each response's status, and its head.
      "-v", "3",
      "-s", "\(Self.patience)",
      // The time comes first, because it also sets a number of requests.
      "-t", "\(bounds.seconds)", "-n", "\(max(bounds.requests, connections))",
      "-c", "\(connections)", "-B", address, "-e", percentiles,
    ]
    if let authorization = request.authorization {
      arguments += ["-H", "Authorization: \(authorization)"]
    }
    if let body = request.body { arguments += ["-p", body, "-T", "application/json"] }
    return arguments + [request.url]
  }
}

/// A request that a client sends again and again.
struct Request: Sendable {
  var url: String
  var authorization: String?
  /// The path of a file with the JSON to post; `nil` for a GET.
  var body: String?

  static func basic(_ email: String, _ password: String) -> String {
    "Basic " + Data("\(email):\(password)".utf8).base64EncodedString()
  }
}
