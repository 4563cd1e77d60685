import StubNetwork
import VirtualTime

/// What's different in a run of a program: the order of what happens at one instant, and what goes
/// wrong.
package struct Variation: Hashable, Sendable {
  /// The departures from the usual order; `nil` if the clock doesn't even note its choices.
  package var schedule: Schedule?

  /// What goes wrong; `nil` for nothing.
  package var fault: NetworkFault?

  package init(schedule: Schedule? = nil, fault: NetworkFault? = nil) {
    (self.schedule, self.fault) = (schedule, fault)
  }
}
