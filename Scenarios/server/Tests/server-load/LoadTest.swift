import Foundation
import ServerTestSupport

/// Measures the server under load, and judges how well it reads while there's a flood.
struct LoadTest {
  /// The rounds of a test.
  struct Plan {
    var endpoints: [Endpoint]
    var connections: [Int]
    /// The most reads in a round.
    var reads: Int
    /// The longest round of reading or writing, in seconds.
    var seconds: Int

    /// Two and a half minutes, if the machine does nothing else.
    static let long = Plan(
      endpoints: Endpoint.allCases, connections: [1, 16, 200], reads: 5000, seconds: 6)
    /// Twenty seconds, if the machine does nothing else.
    static let short = Plan(endpoints: [.read], connections: [16], reads: 1500, seconds: 10)

    /// The bounds of a round. With these, a round that's served well has enough responses for a
    /// p99, and one that isn't ends soon.
    func bounds(_ endpoint: Endpoint) -> ApacheBench.Bounds {
      switch endpoint {
      case .read: .init(requests: reads, seconds: seconds)
      case .write: .init(requests: 800, seconds: seconds)
      case .logIn: .init(requests: 20_000, seconds: 5)
      }
    }
  }

  let target: Target
  let plan: Plan
  /// Receives a line about each round.
  let log: (String) -> Void
  private(set) var rows: [LoadReport.Row] = []
  private var floods = 0
  private(set) var complaints: [String] = []

  init(_ plan: Plan, log: @escaping (String) -> Void) throws {
    self.plan = plan
    self.log = log
    target = try Target(logsIn: plan.endpoints.contains(.logIn))
  }

  private var process: ServerProcess {
    ServerProcess(processID: target.server.program.processID)
  }

  func peakKilobytes() throws -> Int { try process.peakKilobytes() }

  /// Runs all rounds.
  mutating func run() throws {
    for endpoint in plan.endpoints {
      for connections in plan.connections {
        do {
          // Nothing but reading goes on while the database is locked.
          for flood in Flood.Kind.allCases where flood == .logins || endpoint == .read {
            try measure(endpoint, connections, flood)
          }
        } catch {
          throw Program.Failure(description: "\(Self.name(endpoint, connections)): \(error)")
        }
      }
    }
  }

  static func name(_ endpoint: Endpoint, _ connections: Int) -> String {
    "\(endpoint.rawValue) at \(connections == 1 ? "1 connection" : "\(connections) connections")"
  }

  private mutating func measure(
    _ endpoint: Endpoint, _ connections: Int, _ flood: Flood.Kind
  ) throws {
    log("\(Self.name(endpoint, connections)), with and without a flood of \(flood.rawValue)")
    var pairs: [Pair] = []
    var verdict: Verdict?
    repeat {
      let pair = Pair(
        quiet: try round(endpoint, connections),
        flooded: try round(endpoint, connections, flood))
      pairs.append(pair)
      guard endpoint == .read else { break }
      log("  p99 with the flood: \(pair.ratio.times) its value without")
      // Once the test has failed, one pair is enough for its figures.
      verdict = try Verdict.of(pairs, votes: complaints.isEmpty ? Verdict.votes : 1)
    } while verdict == nil
    guard let median = pairs.median else { return }
    rows.append(.init(endpoint: endpoint, connections: connections, flood: flood, pair: median))
    if verdict == .failed {
      complaints.append(median.complaint(connections: connections, flood))
    }
  }

  /// A round without a flood.
  private func round(_ endpoint: Endpoint, _ connections: Int) throws -> Sample {
    let clients = try clients(endpoint, connections)
    let sample = try sample(clients)
    log("  \(sample.line)")
    return sample
  }

  private mutating func round(
    _ endpoint: Endpoint, _ connections: Int, _ kind: Flood.Kind
  ) throws -> Sample {
    let clients = try clients(endpoint, connections)
    floods += 1
    let flood = try Flood(kind, floods, on: target, seconds: 120)
    // So that the flood's first requests are being served.
    Thread.sleep(forTimeInterval: 0.5)
    let sample = try sample(clients)
    let others = try flood.stop()
    log("  \(sample.line); flood: \(others.outcome) in \(LoadReport.time(others.seconds * 1000))")
    return sample
  }

  /// The clients of a round. They can begin: the server is idle.
  private func clients(_ endpoint: Endpoint, _ connections: Int) throws -> [ApacheBench] {
    // A flood may have left work, and then a sign-up for the next round would be refused.
    try process.waitUntilIdle(patience: 60)
    let clients = try target.clients(
      endpoint, connections: connections, bounds: plan.bounds(endpoint))
    try process.waitUntilIdle(patience: 60)
    return clients
  }

  private func sample(_ clients: [ApacheBench]) throws -> Sample {
    let runs = try clients.map { try $0.start(in: target.folder) }
    let sample = Sample(merging: try runs.map { try $0.sample(patience: .seconds(90)) })
    let server = target.server.program
    guard server.isRunning else {
      throw Program.Failure(description: "the server ended: \(try server.result())")
    }
    return sample
  }
}

extension Pair {
  /// The failure of reading in one line.
  fileprivate func complaint(connections: Int, _ kind: Flood.Kind) -> String {
    let start = LoadTest.name(.read, connections) + ", flood of \(kind.rawValue)"
    if !isServed { return "\(start): it makes the server refuse it: \(flooded.outcome)" }
    if flooded.successes < Verdict.fewestSuccesses {
      return "\(start): it leaves \(LoadReport.rate(flooded.successesPerSecond)) of "
        + "\(LoadReport.rate(quiet.successesPerSecond)) responses per second, with a p99 of "
        + "\(LoadReport.time(flooded.p99)) instead of \(LoadReport.time(quiet.p99)). These are too "
        + "few: \(flooded.successes) of \(Verdict.fewestSuccesses)"
    }
    return "\(start): it makes the p99 \(ratio.times) as long, and at most "
      + "\(Verdict.longestRatio.times) is fine"
  }
}

extension Sample {
  /// The round in one line.
  fileprivate var line: String {
    "\(outcome) in \(LoadReport.time(seconds * 1000)), p50 \(LoadReport.time(p50)), "
      + "p99 \(LoadReport.time(p99))"
  }
}

extension Double {
  /// A ratio, such as `1.4 times`.
  fileprivate var times: String {
    isFinite ? String(format: "%.1f times", self) : "too many times"
  }
}
