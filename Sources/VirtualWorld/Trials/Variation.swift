import StubNetwork
import VirtualTime

/// What's different in a run of a program: the order of what happens at one instant, what goes
/// wrong, and what comes at another time.
package struct Variation: Hashable, Sendable {
  /// The departures from the usual order; `nil` if the clock doesn't even note its choices.
  package var schedule: Schedule?

  /// What goes wrong, in the order of the requests.
  package var faults: [NetworkFault]

  /// Other times for what the script decides.
  package var moves: [Move]

  package init(schedule: Schedule? = nil, faults: [NetworkFault] = [], moves: [Move] = []) {
    (self.schedule, self.faults, self.moves) = (schedule, faults, moves)
  }
}
