import Foundation
import ServerTestSupport

/// The facts about a running process that Linux tells below `/proc`.
struct ServerProcess {
  let processID: Int32

  /// The most memory that the process has had so far (VmHWM), in kilobytes.
  func peakKilobytes() throws -> Int {
    guard let bytes = peakMemory(of: processID) else {
      throw Program.Failure(description: "/proc/\(processID)/status has no VmHWM")
    }
    return bytes / 1024
  }

  /// Waits until the process has nothing to do for a while. The work of a flood goes on when its
  /// clients are gone, and would slow down the next round.
  func waitUntilIdle(patience: Int) throws {
    var last = try ticks()
    for _ in 0..<(patience * 4) {
      Thread.sleep(forTimeInterval: 0.25)
      let now = try ticks()
      // A tick is a hundredth of a second. On a busy machine, a thread that has work may get no
      // time, so it also counts whether a thread wants some.
      if now - last <= 1, try !hasRunnableThread() { return }
      last = now
    }
    throw Program.Failure(description: "the server was still busy after \(patience) s")
  }

  /// The processor time that the process has used.
  private func ticks() throws -> Int {
    // User and system time are the fields 14 and 15.
    let fields = try fields("/proc/\(processID)/stat")
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      throw Program.Failure(description: "can't read /proc/\(processID)/stat")
    }
    return user + system
  }

  private func hasRunnableThread() throws -> Bool {
    let folder = "/proc/\(processID)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains { thread in
      // A thread may end in between.
      (try? fields("\(folder)/\(thread)/stat"))?.first == "R"
    }
  }

  /// The fields of a `stat` file from the third on, which is the state. The second one is a name in
  /// parentheses, and may contain spaces.
  private func fields(_ path: String) throws -> [Substring] {
    let stat = try String(contentsOfFile: path, encoding: .utf8)
    guard let name = stat.lastIndex(of: ")") else { return [] }
    return stat[stat.index(after: name)...].split(whereSeparator: \.isWhitespace)
  }
}
