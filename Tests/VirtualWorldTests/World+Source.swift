import StreamsTesting
import Timeline

extension World {
  /// Values of a lane, at times in milliseconds.
  func source(
    _ name: String, _ values: (text: String, time: Int)...
  ) -> some Publisher<String, Never> {
    let events = values.map {
      TimedEvent<String, Never>.value($0.text, at: .milliseconds($0.time))
    }
    return clock.cold(events + [.finished(at: .milliseconds(1_000))]).lane(name)
  }
}

extension World {
  /// The values of the lane `out`, each with the values that it's made of.
  var outcomes: [(value: Timeline.Event, madeOf: [Timeline.Event])] {
    let events = timeline.recording.events
    return events.filter { $0.lane.name == "out" && $0.kind.isValue }.map { value in
      (value, value.from.compactMap { number in events.first { $0.number == number } })
    }
  }

  /// The values of the lane `out`: the text of each, what it's made of, and what it follows from,
  /// if that's another value.
  var origins: [String] {
    outcomes.map { value, madeOf in
      let trigger = value.cause.flatMap(timeline.event).map {
        $0.number == madeOf.last?.number ? "" : " <- \($0.lane.name) \($0.kind)"
      }
      return "\(value.kind): \(madeOf.map(\.text).joined(separator: " "))\(trigger ?? " <-")"
    }
  }

  /// Runs a publisher in the lane `out`, and returns its ``origins``.
  func origins(of publisher: some Publisher<some Any, some Error>) -> [String] {
    publisher.lane("out").sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      .store(in: &cancellables)
    run()
    return origins
  }
}

extension Timeline.Event {
  /// The text of a value.
  var text: String { String(kind.description.dropFirst(6)) }
}

extension Timeline.Event.Kind {
  var isValue: Bool { if case .value = self { true } else { false } }
}
