// Prints how long streams take, compared with a plain loop that calls the same closures. Both are
// measured in the same run, in processor time. Nanoseconds depend on the machine, so read the
// ratio.
//
//     make bench
//     make bench ARGS=flatMap    (only benchmarks with this in their name)
//     make bench ARGS=--help     (the names of all)

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "--timers", TimerWorkloads.names.contains(arguments[1]) {
  try TimerWorkloads.printReport(arguments[1])
  exit(0)
}

let allWorkloads =
  SequenceWorkloads.all + ChainWorkloads.all + SubjectWorkloads.all + ReducingWorkloads.all
  + CombiningWorkloads.all + DroppingWorkloads.all + SchedulerWorkloads.all
  + PublishedWorkloads.all + AsyncWorkloads.all + CodingWorkloads.all
let allRequests = [
  (name: "through URLSession", report: Requests.throughURLSession),
  (name: "the same past URLSession", report: Requests.pastURLSession),
]
let widthName = "4,000 stubbed requests, so many at a time"
let allNames =
  allWorkloads.map(\.name) + Growth.all.map(\.name) + allRequests.map(\.name) + [widthName]
  + TimerWorkloads.names

if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
  print(
    """
    Usage: benchmarks [WORD...]

    Runs the benchmarks with each WORD in their name, and all of them without a WORD.

      --help  print this

    Exit codes: 0 if all is well, 64 if no name has all words.

    Benchmarks:
    """)
  for name in allNames { print("  " + name) }
  exit(0)
}

let isWanted: (String) -> Bool = { name in arguments.allSatisfy { name.contains($0) } }
if !allNames.contains(where: isWanted) {
  let words = arguments.map { "'\($0)'" }.joined(separator: " and ")
  let message = "benchmarks: no benchmark has \(words) in its name: see make bench ARGS=--help\n"
  FileHandle.standardError.write(Data(message.utf8))
  exit(64)
}

let workloads = allWorkloads.filter { isWanted($0.name) }
if !workloads.isEmpty {
  print("workload                                       loop ns  streams ns  ratio  to reach")
}
for workload in workloads {
  let measurement = Measurement(workload, runs: 21)
  print(
    workload.name.padded(to: 44), measurement.loop.text(digits: 1, width: 9),
    measurement.streams.text(digits: 1, width: 11), measurement.ratio.text(digits: 2, width: 6),
    workload.target.text(digits: 2, width: 9))
}

let growths = Growth.all.filter { isWanted($0.name) }
if !growths.isEmpty {
  print("\nnanoseconds a subscriber, with subscribers    10,000    20,000    40,000  growth")
}
for growth in growths {
  let nanoseconds = growth.nanoseconds(at: Growth.sizes)
  print(
    growth.name.padded(to: 40), nanoseconds.map { $0.text(digits: 0, width: 10) }.joined(),
    (nanoseconds[2] / nanoseconds[0]).text(digits: 2, width: 7))
}

let requests = allRequests.filter { isWanted($0.name) }
if !requests.isEmpty {
  print("\n10,000 stubbed requests     per second  memory growth  open files growth")
}
for (name, report) in requests {
  let report = report()
  print(
    name.padded(to: 25), "\(report.perSecond)".aligned(to: 12),
    "\(report.memoryGrowth) KB".aligned(to: 14), "\(report.fileGrowth)".aligned(to: 18))
}

if isWanted(widthName) {
  let seconds = Requests.secondsByWidth()
  let header = Requests.widths.map { "\($0)".aligned(to: 8) }.joined()
  print("\n" + widthName + header + "  4,000 to 1  to reach")
  print(
    "seconds".padded(to: widthName.count), seconds.map { $0.text(digits: 2, width: 8) }.joined(),
    (seconds[3] / seconds[0]).text(digits: 2, width: 11),
    Requests.widthTarget.text(digits: 2, width: 9))
}

let timers = TimerWorkloads.names.filter(isWanted)
if !timers.isEmpty {
  print("\n1,000,000 timers, half cancelled    seconds  memory that waits")
}
for name in timers {
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
