import Streams

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

  package init(time: VirtualTime, index: Int, candidates: [String], pick: Int) {
    (self.time, self.index, self.candidates, self.pick) = (time, index, candidates, pick)
  }

  /// The same choice with another pick.
  package func departure(to pick: Int) -> Schedule.Departure {
    Schedule.Departure(time: time, choice: index, pick: pick)
  }

  /// The departure in words, such as `600ms: request 2 before request 1`.
  package var description: String { description(of: pick) }

  /// Another pick in the same words.
  package func description(of pick: Int) -> String {
    let overtaken = candidates[..<pick]
    let last = overtaken.count > 1 ? " and \(overtaken[overtaken.endIndex - 1])" : ""
    let first = overtaken.prefix(max(1, overtaken.count - 1)).joined(separator: ", ")
    return "\(time): \(candidates[pick]) before \(first)\(last)"
  }
}

/// What keeps its order: things of one lane never change places.
enum OrderLane: Hashable {
  /// Scripted actions, such as those of `world.at`.
  case script
  /// The signals of one source, such as a request.
  case source(OrderSource)
  /// Timers of one queue that were set at one instant; `nil` is the clock itself.
  case timers(since: VirtualTime, queue: ObjectIdentifier?)
  /// Actions for a serial queue.
  case queue(ObjectIdentifier)
  /// The parts of a task, by its number. A task that overtakes another does so with all its parts.
  case task(Int)
  /// Something that keeps no order, by its number.
  case single(UInt64)
}

/// A source of signals that may change places with everything else at an instant, such as a
/// request.
package struct OrderSource: Hashable, Sendable {
  /// What people call it.
  package let name: String
  private let owner: ObjectIdentifier?

  /// - Parameters:
  ///   - name: What people call it.
  ///   - owner: The object that tells it from others of the same name.
  package init(_ name: String, of owner: AnyObject? = nil) {
    self.name = name
    self.owner = owner.map(ObjectIdentifier.init)
  }
}

/// What something follows from, such as `after typed: value a`.
///
/// The text is made when it's first read, because only things of the same name need it.
package final class OrderDetail: Hashable, Sendable {
  private enum Content {
    case unmade(@Sendable () -> String)
    case made(String)
  }

  private let content: Locked<Content>

  /// - Parameter make: Makes the text. It's called once at most, under the clock's lock, so it must
  ///   not use the clock.
  package init(_ make: @escaping @Sendable () -> String) { content = Locked(Content.unmade(make)) }

  var text: String {
    content.withLock { content in
      switch content {
      case .made(let text): return text
      case .unmade(let make):
        let text = make()
        content = .made(text)
        return text
      }
    }
  }

  package static func == (one: OrderDetail, other: OrderDetail) -> Bool {
    one === other || one.text == other.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What people call something that could happen next.
struct CandidateName: Hashable {
  let name: String
  /// What it follows from; `nil` if that isn't known.
  let detail: OrderDetail?

  /// The names in words that tell them apart: those that several have get their details, and if
  /// these are equal too, their numbers in the usual order.
  static func distinct(_ candidates: [CandidateName]) -> [String] {
    var namesakes: [String: Int] = [:]
    for candidate in candidates { namesakes[candidate.name, default: 0] += 1 }
    if namesakes.count == candidates.count { return candidates.map(\.name) }
    var equals: [CandidateName: Int] = [:]
    for candidate in candidates where namesakes[candidate.name, default: 0] > 1 {
      equals[candidate, default: 0] += 1
    }
    var numbers: [CandidateName: Int] = [:]
    return candidates.map { candidate in
      if namesakes[candidate.name, default: 0] == 1 { return candidate.name }
      var details: [String] = []
      if let detail = candidate.detail { details.append(detail.text) }
      if equals[candidate, default: 0] > 1 {
        let number = numbers[candidate, default: 0] + 1
        numbers[candidate] = number
        details.append("number \(number)")
      }
      return details.isEmpty
        ? candidate.name : "\(candidate.name) (\(details.joined(separator: ", ")))"
    }
  }
}

/// An action that waits for its queue.
///
/// The action may be from any thread. One thread at a time uses it: the one that moves time.
package struct QueueHop {
  /// The queue, if it's serial; `nil` if its actions may run in any order.
  let queue: ObjectIdentifier?
  /// The number of the task that it's a part of; `nil` if it's none.
  let task: Int?
  /// Its number, in the order of sending.
  var number: UInt64 = 0
  /// What people call it.
  let name: CandidateName
  let run: () -> Void
  let drop: () -> Void
  /// Whether it may move time itself, as a part of a task does.
  let movesTime: Bool

  /// - Parameters:
  ///   - queue: The queue, if it's serial.
  ///   - name: What people call it.
  ///   - detail: What it follows from, to tell it from others of the same name.
  ///   - task: The number of the task that it's a part of.
  ///   - movesTime: Whether it may move time itself, as a part of a task does.
  ///   - run: Runs it.
  ///   - drop: Gives it up.
  package init(
    to queue: ObjectIdentifier?, named name: String, detail: OrderDetail? = nil,
    task: Int? = nil, movesTime: Bool = false, run: @escaping () -> Void, drop: @escaping () -> Void
  ) {
    (self.task, self.movesTime) = (task, movesTime)
    self.name = CandidateName(name: name, detail: detail)
    (self.queue, self.run, self.drop) = (queue, run, drop)
  }

  var lane: OrderLane {
    queue.map(OrderLane.queue) ?? task.map(OrderLane.task) ?? .single(number)
  }
}
