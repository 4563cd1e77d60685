import Timeline

extension Timeline.Event {
  /// The event in words, as a screen reader says it.
  var sentence: String {
    let name = lane.name
    let lane = subscription.map { $0 > 1 ? "\(name) \($0)" : name } ?? name
    return switch kind {
    case .subscription: "\(lane) is subscribed to."
    case .request(let demand):
      "\(lane) is asked for \(demand.max.map { "\($0) more" } ?? "all its values")."
    case .value(let text): "\(lane) delivers \(text)"
    case .finished: "\(lane) finishes."
    case .failure(let text): "\(lane) fails: \(text)"
    case .cancelled: "\(lane) is cancelled."
    case .note(let text): "\(lane): \(text)"
    case .printed(let text): "The program prints: \(text)"
    case .network(let event): "\(lane) \(event.verb)"
    }
  }
}

extension Timeline.Event.Network {
  fileprivate var verb: String {
    switch self {
    case .started: "is sent: \(self)"
    case .waiting: "waits for connectivity."
    case .sent: "is sent now, because the device is online."
    case .response: "gets its response: \(self)"
    case .chunk: "receives \(self)."
    case .finished: "is complete."
    case .failed(let text): "fails: \(text)"
    case .cancelled: "is \(self)."
    }
  }
}

extension Timeline.Event.Kind {
  /// The kind's name, as the JSON lines of `--trace` have it.
  var name: String {
    switch self {
    case .subscription: "subscription"
    case .request: "request"
    case .value: "value"
    case .finished: "finished"
    case .failure: "failure"
    case .cancelled: "cancelled"
    case .note: "note"
    case .printed: "printed"
    case .network(.started): "request-started"
    case .network(.waiting): "request-waiting"
    case .network(.sent): "request-sent"
    case .network(.response): "response"
    case .network(.chunk): "chunk"
    case .network(.finished): "request-finished"
    case .network(.failed): "request-failed"
    case .network(.cancelled): "request-cancelled"
    }
  }
}
