import Foundation

/// One workload, next to a plain loop that calls the same closures.
struct Workload {
  let name: String
  /// How many values one run sends.
  let values: Int
  /// The ratio to reach.
  let target: Double
  let loop: () -> Void
  let streams: () -> Void
}

/// The median of runs of both, taken in turns, in nanoseconds a value.
struct Measurement {
  let loop: Double
  let streams: Double

  var ratio: Double { streams / loop }

  init(_ workload: Workload, runs: Int) {
    var loop: [Double] = []
    var streams: [Double] = []
    for _ in 0..<runs {
      loop.append(elapsed(workload.loop) / Double(workload.values))
      streams.append(elapsed(workload.streams) / Double(workload.values))
    }
    self.loop = loop.sorted()[runs / 2]
    self.streams = streams.sorted()[runs / 2]
  }
}

/// The nanoseconds that something takes.
func elapsed(_ body: () -> Void) -> Double {
  let (seconds, attoseconds) = ContinuousClock().measure(body).components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

/// How much memory the process holds now.
func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
}
