/// A moment of a run at which several things could have happened next.
package struct OrderChoice: Hashable, Sendable {
  /// The instant.
  package let time: VirtualTime

  /// Its place among the choices of that instant, counted from 0.
  package let index: Int

  /// The names of what could have happened, the usual one first.
  package let candidates: [String]

  /// The number of the one that did.
  package let pick: Int

  /// The same choice with another pick.
  package func departure(to pick: Int) -> Schedule.Departure {
    Schedule.Departure(time: time, choice: index, pick: pick)
  }

  /// The departure in words, such as `600ms: request 2 before request 1`.
  package var description: String { "\(time): \(candidates[pick]) before \(candidates[0])" }
}

/// What keeps its order: things of one lane never change places.
enum OrderLane: Hashable {
  /// Scripted actions, such as those of `world.at`.
  case script
  /// Work that depends on nothing else, by its number.
  case own(UInt64)
  /// Timers that were set at one instant.
  case timers(since: VirtualTime)
  /// Actions for a serial queue.
  case queue(ObjectIdentifier)
}

/// An action that waits for its queue.
///
/// The action may be from any thread. One thread at a time uses it: the one that moves time.
package struct QueueHop {
  /// The queue, if it's serial; `nil` if its actions may run in any order.
  let queue: ObjectIdentifier?
  /// The name of the queue.
  let name: String
  let run: () -> Void
  let drop: () -> Void

  package init(
    to queue: ObjectIdentifier?, named name: String, run: @escaping () -> Void,
    drop: @escaping () -> Void
  ) {
    (self.queue, self.name, self.run, self.drop) = (queue, name, run, drop)
  }
}
