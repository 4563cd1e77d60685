import Foundation
import VirtualTime
import VirtualWorld

/// The search for an order in which a test gives the recorded text.
struct SnapshotSearch {
  private let recorded: Data
  private var search = OrderSearch<RunHistories, Bool>(.init(runs: 200))

  /// - Parameter recorded: The recorded text.
  init(for recorded: Data) { self.recorded = recorded }

  private var finding: OrderSearch<RunHistories, Bool>.Finding? {
    search.findings.first { $0.outcome }
  }

  /// The schedule to run next; `nil` at the end.
  func next() -> Schedule? { finding == nil ? search.next() : nil }

  /// Prepares the world of a run. Another order may need fewer stubs than the usual one.
  static func prepare(_ world: World) { world.network.allowUnusedStubs() }

  /// Notes what a run led to.
  ///
  /// - Parameters:
  ///   - text: What the body returned; `nil` if it threw an error.
  ///   - choices: The choices of the run.
  mutating func note(_ text: String?, _ choices: [OrderChoice]) {
    search.note(
      choices: choices, record: nil, outcome: text.map { Data($0.utf8) == recorded } ?? false)
  }

  /// Says which order gives the recorded text; `nil` if none does.
  var reason: String? {
    guard let finding else { return nil }
    guard finding.schedule != .usual else {
      return """
        A second run in the same order gives the recorded result, so the body depends on something \
        outside its world, such as a random number or a variable that an earlier run has changed.
        """
    }
    return """
      Another order gives the recorded result, with \(finding.reasons.joined(separator: ", then ")).
      To run that order: withWorld(schedule: "\(finding.schedule)") { world in … }
      """
  }
}
