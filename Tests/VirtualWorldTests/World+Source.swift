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

extension Timeline.Event.Kind {
  var isValue: Bool { if case .value = self { true } else { false } }
}
