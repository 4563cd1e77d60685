import Foundation

/// A workload, and a plain loop that calls the same closures.
struct Workload {
  let name: String
  /// How many values one run sends.
  let values: Int
  /// The ratio that streams should reach.
  let target: Double
  let loop: () -> Void
  let streams: () -> Void
}

/// The medians of both, measured alternately, in nanoseconds per value.
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

/// The nanoseconds of processor time that a closure takes, on all threads. Other programs on the
/// machine disturb it less than the time on a clock.
func elapsed(_ body: () -> Void) -> Double {
  let start = processorNanoseconds()
  body()
  return processorNanoseconds() - start
}

private func processorNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The current resident memory of the process in kilobytes.
func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
}
