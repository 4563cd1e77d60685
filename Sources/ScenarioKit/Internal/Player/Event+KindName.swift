import Timeline

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
