import StubNetwork
import VirtualTime

/// What's different in a run of a program: the order of what happens at one instant, what goes
/// wrong, and what comes at another time.
package struct Variation: Hashable, Sendable {
  /// The departures from the usual order; `nil` if the clock doesn't even note its choices.
  package var schedule: Schedule?

  /// What goes wrong; `nil` for nothing.
  package var fault: NetworkFault?

  /// Other times for what the script decides.
  package var moves: [Move]

  package init(schedule: Schedule? = nil, fault: NetworkFault? = nil, moves: [Move] = []) {
    (self.schedule, self.fault, self.moves) = (schedule, fault, moves)
  }
}
