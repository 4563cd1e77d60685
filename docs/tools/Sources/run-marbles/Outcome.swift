import StreamsTesting

/// What came out of an operator in one run.
struct Outcome: Hashable, Sendable {
  struct Value: Hashable, Sendable {
    let text: String
    /// In milliseconds.
    let time: Int
    /// The marbles that it's made of, oldest first.
    let from: [Int]
    /// What let it out: a marble that arrived at the same instant, or a timer.
    let trigger: Trigger
  }

  enum Trigger: Hashable, Sendable {
    case marble(Int)
    case timer
    /// The end of an input.
    case end
  }

  /// One life of a stream inside of the operator, such as one that `flatMap` makes for a value, or
  /// a second subscription to an input.
  struct Inner: Hashable, Sendable {
    let name: String
    /// The marble that it was made for.
    let marble: Int?
    /// In milliseconds.
    let start: Int
    var end: Int
    var ending: Ending?
    var values: [Moment] = []
  }

  enum Ending: String, Hashable, Sendable {
    case finished, failed, cancelled
  }

  /// A value at a time, in milliseconds.
  struct Moment: Hashable, Sendable {
    let text: String
    let time: Int
  }

  let values: [Value]
  let inners: [Inner]
  /// When the output ended, in milliseconds.
  let end: Int
  /// Whether it ended with a failure.
  let fails: Bool
}

extension Diagram {
  /// Runs the operator in virtual time.
  ///
  /// - Parameter slots: The slots of the items, one list for each input.
  func outcome(of slots: [[Int]]) -> Outcome {
    withWorld { world in
      let sources = zip(inputs, slots).map { source($0, at: $1, in: world) }
      let recorder = world.record(run(world, sources), as: "output")
      world.run()
      while recorder.next() != nil {}
      return outcome(in: world.timeline.recording.events)
    }
  }

  private func source(_ input: Input, at slots: [Int], in world: World) -> Source {
    func time(_ slot: Int) -> VirtualTime { .milliseconds((slot + 1) * Self.slot) }
    let values = zip(input.marbles, slots).map { text, slot in
      TimedEvent<String, Lost>.value(text, at: time(slot))
    }
    let end: TimedEvent<String, Lost> =
      switch input.end {
      case .fixed: .finished(at: .milliseconds(end))
      case .finish: .finished(at: time(slots[slots.count - 1]))
      case .failure: .failure(Lost(), at: time(slots[slots.count - 1]))
      }
    return world.clock.cold(values + [end]).lane(input.name).eraseToAnyPublisher()
  }

  /// Reads the output from the record, which knows what each value is made of and why it came out.
  private func outcome(in events: [Timeline.Event]) -> Outcome {
    let byNumber = Dictionary(uniqueKeysWithValues: events.map { ($0.number, $0) })
    let marbles = marbles(in: events)
    var values: [Outcome.Value] = []
    var (end, fails) = (0, false)
    for event in events where event.lane.name == "output" {
      let time = event.milliseconds
      switch event.kind {
      case .value(let text):
        values.append(
          Outcome.Value(
            text: text, time: time, from: sources(of: event, marbles, byNumber),
            trigger: trigger(of: event, marbles, byNumber)))
      case .finished: end = time
      case .failure: (end, fails) = (time, true)
      default: break
      }
    }
    return Outcome(
      values: values, inners: inners(in: events, marbles, byNumber), end: end, fails: fails)
  }

  /// The marbles that a value is made of. One that a stream inside of the operator sends is made of
  /// the marble that the stream was made for.
  private func sources(
    of value: Timeline.Event, _ marbles: [Int: Int], _ byNumber: [Int: Timeline.Event]
  ) -> [Int] {
    var found: [Int] = []
    for event in value.from.compactMap({ byNumber[$0] }) {
      let numbers =
        marbles[event.number].map { [$0] }
        ?? [life(of: event, in: byNumber)].compactMap {
          $0.flatMap { origin(of: $0, marbles, byNumber) }
        }
      found += numbers.filter { !found.contains($0) }
    }
    return found
  }

  /// The event that began the life that an event belongs to.
  private func life(
    of event: Timeline.Event, in byNumber: [Int: Timeline.Event]
  ) -> Timeline.Event? {
    byNumber.values.filter {
      $0.kind == .subscription && $0.lane == event.lane && $0.subscription == event.subscription
    }.min { $0.number < $1.number }
  }

  /// The lives that begin during the run, in their order. A lane that's there from the start only
  /// tells what passes it.
  private func inners(
    in events: [Timeline.Event], _ marbles: [Int: Int], _ byNumber: [Int: Timeline.Event]
  ) -> [Outcome.Inner] {
    var lives: [Outcome.Inner] = []
    var places: [[String]: Int] = [:]
    for event in events {
      guard let subscription = event.subscription else { continue }
      let life = [event.lane.name, "\(subscription)"]
      guard let place = places[life] else {
        guard event.kind == .subscription, event.milliseconds > 0 else { continue }
        places[life] = lives.count
        lives.append(
          Outcome.Inner(
            name: subscription > 1 ? life.joined(separator: " ") : life[0],
            marble: origin(of: event, marbles, byNumber), start: event.milliseconds,
            end: event.milliseconds))
        continue
      }
      switch event.kind {
      case .value(let text): lives[place].values.append(.init(text: text, time: event.milliseconds))
      case .finished: lives[place].ending = .finished
      case .failure: lives[place].ending = .failed
      case .cancelled: lives[place].ending = .cancelled
      default: continue
      }
      lives[place].end = event.milliseconds
    }
    return lives
  }

  /// The marble that an event goes back to, by its causes and what those are made of.
  private func origin(
    of event: Timeline.Event, _ marbles: [Int: Int], _ byNumber: [Int: Timeline.Event]
  ) -> Int? {
    var event = event
    while let cause = event.cause.flatMap({ byNumber[$0] }) {
      if let marble = marbles[cause.number] { return marble }
      if let marble = cause.from.compactMap({ marbles[$0] }).last { return marble }
      event = cause
    }
    return nil
  }

  /// The numbers of the marbles, by those of their events. An input that's subscribed to again
  /// sends its marbles again.
  private func marbles(in events: [Timeline.Event]) -> [Int: Int] {
    var marbles: [Int: Int] = [:]
    var first = 0
    for input in inputs {
      var sent: [Int?: Int] = [:]
      for event in events where event.lane.name == input.name && event.isValue {
        let index = sent[event.subscription, default: 0]
        marbles[event.number] = first + index
        sent[event.subscription] = index + 1
      }
      first += input.itemCount
    }
    return marbles
  }

  /// What let a value of the output out, by the causes in the record.
  private func trigger(
    of value: Timeline.Event, _ marbles: [Int: Int], _ byNumber: [Int: Timeline.Event]
  ) -> Outcome.Trigger {
    var event = value
    while let cause = event.cause.flatMap({ byNumber[$0] }), cause.time == value.time {
      if let marble = marbles[cause.number] { return .marble(marble) }
      if inputs.contains(where: { $0.name == cause.lane.name }), cause.kind.isEnd { return .end }
      event = cause
    }
    return .timer
  }
}

extension Timeline.Event {
  fileprivate var milliseconds: Int { Int(time.nanoseconds / 1_000_000) }

  fileprivate var isValue: Bool { if case .value = kind { true } else { false } }
}

extension Timeline.Event.Kind {
  fileprivate var isEnd: Bool {
    switch self {
    case .finished, .failure: true
    default: false
    }
  }
}
