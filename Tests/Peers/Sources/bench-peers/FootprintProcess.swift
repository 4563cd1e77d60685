import Foundation
import OpenCombineWorkloads
import OurWorkloads
import PeerSupport

/// Measures the memory of subscriptions in a process of its own, because memory that was freed
/// before would hide some of it.
enum FootprintProcess {
  private static let count = 20_000

  /// Starts the process, and returns the bytes for each subscription.
  static func bytes(library: String, name: String) throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--footprint", library, name]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let bytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw UsageError("the process for the memory of '\(name)' printed '\(text)'")
    }
    return bytes
  }

  /// Measures, prints the bytes and ends the process.
  static func report(_ arguments: ArraySlice<String>) throws -> Never {
    let arguments = Array(arguments)
    let all =
      arguments.first == "Streams" ? OurWorkloads.footprints : OpenCombineWorkloads.footprints
    guard arguments.count == 2, let footprint = all.first(where: { $0.name == arguments[1] }) else {
      throw UsageError("--footprint is for bench-peers itself")
    }
    // The first subscriptions set up what stays.
    withExtendedLifetime(footprint.subscribe(count / 20)) {}
    let before = residentBytes()
    let subscriptions = footprint.subscribe(count)
    print((residentBytes() - before) / count)
    withExtendedLifetime(subscriptions) {}
    exit(0)
  }

  private static func residentBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
  }
}
