// Prints how long streams take, compared with a plain loop that calls the same closures. Both are
// measured in the same run, in processor time. Nanoseconds depend on the machine, so read the ratio.
//
//     make bench
//     make bench ARGS=flatMap    (only workloads with this in their name)

import Foundation

if CommandLine.arguments.dropFirst().first == "--timers" {
  try TimerWorkloads.printReport(CommandLine.arguments[2])
  exit(0)
}

let isWanted: (String) -> Bool = { name in
  CommandLine.arguments.dropFirst().allSatisfy { name.contains($0) }
}
let workloads =
  (SequenceWorkloads.all + ChainWorkloads.all + SubjectWorkloads.all + ReducingWorkloads.all
  + CombiningWorkloads.all + DroppingWorkloads.all + SchedulerWorkloads.all
  + PublishedWorkloads.all + AsyncWorkloads.all + CodingWorkloads.all)
  .filter { isWanted($0.name) }

print("workload                                       loop ns  streams ns  ratio  to reach")
for workload in workloads {
  let measurement = Measurement(workload, runs: 21)
  print(
    workload.name.padded(to: 44), measurement.loop.text(digits: 1, width: 9),
    measurement.streams.text(digits: 1, width: 11), measurement.ratio.text(digits: 2, width: 6),
    workload.target.text(digits: 2, width: 9))
}

print("\nnanoseconds a subscriber, with subscribers    10,000    20,000    40,000  growth")
for growth in Growth.all where isWanted(growth.name) {
  let nanoseconds = growth.nanoseconds(at: Growth.sizes)
  print(
    growth.name.padded(to: 40), nanoseconds.map { $0.text(digits: 0, width: 10) }.joined(),
    (nanoseconds[2] / nanoseconds[0]).text(digits: 2, width: 7))
}

print("\n10,000 stubbed requests     per second  memory growth  open files growth")
for (name, report) in [
  ("through URLSession", Requests.throughURLSession),
  ("the same past URLSession", Requests.pastURLSession),
] where isWanted(name) {
  let report = report()
  print(
    name.padded(to: 25), "\(report.perSecond)".aligned(to: 12),
    "\(report.memoryGrowth) KB".aligned(to: 14), "\(report.fileGrowth)".aligned(to: 18))
}

let widthName = "4,000 stubbed requests, so many at a time"
if isWanted(widthName) {
  let seconds = Requests.secondsByWidth()
  let header = Requests.widths.map { "\($0)".aligned(to: 8) }.joined()
  print("\n" + widthName + header + "  4,000 to 1  to reach")
  print(
    "seconds".padded(to: widthName.count), seconds.map { $0.text(digits: 2, width: 8) }.joined(),
    (seconds[3] / seconds[0]).text(digits: 2, width: 11),
    Requests.widthTarget.text(digits: 2, width: 9))
}

print("\n1,000,000 timers, half cancelled    seconds  memory that waits")
for name in TimerWorkloads.names where isWanted(name) {
  let report = try TimerWorkloads.inAnotherProcess(name)
  print(
    name.padded(to: 30), report.seconds.text(digits: 2, width: 12),
    "\(report.megabytes) MB".aligned(to: 18))
}

extension String {
  func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Double {
  /// The number with a fixed count of digits after the point, aligned to the right.
  func text(digits: Int, width: Int) -> String {
    let scale = [1, 10, 100][digits]
    let scaled = Int((self * Double(scale)).rounded())
    guard digits > 0 else { return "\(scaled)".aligned(to: width) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(scaled / scale).\(zeros)\(fraction)".aligned(to: width)
  }
}
