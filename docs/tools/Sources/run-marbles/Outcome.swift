import StreamsTesting

/// What came out of an operator in one run.
struct Outcome: Hashable, Sendable {
  struct Value: Hashable, Sendable {
    let text: String
    /// In milliseconds.
    let time: Int
    /// The marbles that it's made of.
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
  /// When the output finished, in milliseconds.
  let end: Int
}

extension Diagram {
  /// Runs the operator in virtual time.
  ///
  /// - Parameter slots: The slots of the marbles, one list for each input.
  func outcome(of slots: [[Int]]) -> Outcome {
    withWorld { world in
      var first = 0
      let sources = inputs.indices.map { index in
        defer { first += inputs[index].marbles.count }
        return source(inputs[index], at: slots[index], firstNumber: first, in: world)
      }
      let recorder = world.record(run(world, sources), as: "output")
      world.run()
      let triggers = triggers(in: world.timeline.recording.events)
      let times = recorder.events.map { Int($0.time.nanoseconds / 1_000_000) }
      var values: [Outcome.Value] = []
      var end = 0
      for (event, time) in zip(recorder.events, times) {
        switch event.kind {
        case .value(let marble):
          values.append(
            Outcome.Value(
              text: marble.text, time: time, from: marble.from, trigger: triggers[values.count]))
        case .finished: end = time
        case .subscription: break
        case .cancelled: preconditionFailure("\(page): the output was cancelled")
        }
      }
      return Outcome(values: values, end: end)
    }
  }

  private func source(
    _ input: Input, at slots: [Int], firstNumber: Int, in world: World
  ) -> Source {
    let values = slots.enumerated().map { index, slot in
      TimedEvent<Marble, Never>.value(
        Marble(text: input.marbles[index], from: [firstNumber + index]),
        at: .milliseconds((slot + 1) * Self.slot))
    }
    return world.clock.cold(values + [.finished(at: .milliseconds(end))])
      .lane(input.name, describing: \.text)
      .eraseToAnyPublisher()
  }

  /// What let each value of the output out, by the causes in the record.
  private func triggers(in events: [Timeline.Event]) -> [Outcome.Trigger] {
    let byNumber = Dictionary(uniqueKeysWithValues: events.map { ($0.number, $0) })
    let names = inputs.map(\.name)
    var marbles: [Int: Int] = [:]
    var next = 0
    for name in names {
      for event in events where event.lane.name == name && event.isValue {
        marbles[event.number] = next
        next += 1
      }
    }
    return events.filter { $0.lane.name == "output" && $0.isValue }.map { value in
      var event = value
      while let cause = event.cause.flatMap({ byNumber[$0] }), cause.time == value.time {
        if let marble = marbles[cause.number] { return .marble(marble) }
        if names.contains(cause.lane.name), case .finished = cause.kind { return .end }
        event = cause
      }
      return .timer
    }
  }
}

extension Timeline.Event {
  fileprivate var isValue: Bool { if case .value = kind { true } else { false } }
}
