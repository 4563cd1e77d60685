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

  let values: [Value]
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
      let time = Int(event.time.nanoseconds / 1_000_000)
      switch event.kind {
      case .value(let text):
        values.append(
          Outcome.Value(
            text: text, time: time, from: event.from.compactMap { marbles[$0] },
            trigger: trigger(of: event, marbles, byNumber)))
      case .finished: end = time
      case .failure: (end, fails) = (time, true)
      default: break
      }
    }
    return Outcome(values: values, end: end, fails: fails)
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
