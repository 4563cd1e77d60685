import Foundation
import ServerTestSupport

/// The facts about a running process that Linux tells below `/proc`.
struct ServerProcess {
  let processID: Int32

  /// The most memory that the process has had so far (VmHWM), in kilobytes.
  func peakKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(separator: " ").compactMap({ Int($0) }).first else {
      throw Program.Failure(description: "/proc/\(processID)/status has no VmHWM")
    }
    return kilobytes
  }

  /// Waits until the process has used almost no processor time for a while. The work of a flood
  /// goes on when its clients are gone, and would slow down the next round.
  func waitUntilIdle(patience: Int) throws {
    var last = try processorTicks()
    for _ in 0..<(patience * 4) {
      Thread.sleep(forTimeInterval: 0.25)
      let now = try processorTicks()
      // A tick is a hundredth of a second.
      if now - last <= 1 { return }
      last = now
    }
    throw Program.Failure(description: "the server was still busy after \(patience) s")
  }

  private func processorTicks() throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
      throw Program.Failure(description: "can't read /proc/\(processID)/stat")
    }
    return user + system
  }
}
