import Foundation
import PeerSupport

/// The processor times of one workload: medians of alternate runs, in nanoseconds per value.
struct Comparison {
  let name: String
  let loop: Double
  let ours: Double
  let openCombine: Double

  init(_ ours: Workload, _ openCombine: Workload) {
    precondition(ours.name == openCombine.name, "the same files are compiled for each library")
    name = ours.name
    var times: [[Double]] = [[], [], []]
    for _ in 0..<11 {
      times[0].append(nanoseconds(ours.loop))
      times[1].append(nanoseconds(ours.run))
      times[2].append(nanoseconds(openCombine.run))
    }
    let medians = times.map { $0.sorted()[5] / Double(ours.values) }
    (loop, self.ours, self.openCombine) = (medians[0], medians[1], medians[2])
  }

  /// The ratio of OpenCombine's time to that of this library.
  var lead: Double { openCombine / ours }

  var line: String {
    name.padded(to: 44) + "loop \(loop.nanoseconds)".padded(to: 16)
      + "here \((ours / loop).times)".padded(to: 14)
      + "OpenCombine \((openCombine / loop).times)".padded(to: 22) + "ahead by \(lead.times)"
  }
}

/// The memory that one more subscription keeps, in bytes.
struct MemoryComparison {
  let name: String
  let ours: Int
  let openCombine: Int

  init(_ name: String) throws {
    self.name = name
    ours = try FootprintProcess.bytes(library: "Streams", name: name)
    openCombine = try FootprintProcess.bytes(library: "OpenCombine", name: name)
  }

  var line: String {
    name.padded(to: 44) + "here \(ours) bytes".padded(to: 20) + "OpenCombine \(openCombine) bytes"
  }
}

/// The nanoseconds of processor time that a closure takes, on all threads. Other programs on the
/// machine disturb it less than they do the time on a clock.
private func nanoseconds(_ body: () -> Void) -> Double {
  let start = processorNanoseconds()
  body()
  return processorNanoseconds() - start
}

private func processorNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

extension Double {
  /// Such as `1.4`, and `25` from 20 on: two significant digits are enough for a ratio.
  var times: String { String(format: self < 20 ? "%.1f" : "%.0f", self) }

  /// Such as `3.1 ns`.
  var nanoseconds: String { times + " ns" }
}

extension String {
  func padded(to width: Int) -> String {
    padding(toLength: max(width, count), withPad: " ", startingAt: 0)
  }
}
