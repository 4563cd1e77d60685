import Streams
import TestSupport
import Testing

extension History {
  /// All received events on one line: `Map: 10 20 |`, or `Map: 10 x(no more)` for a failure.
  var text: String {
    events.map { event in
      switch event {
      case .subscription(let name): "\(name):"
      case .value(let value): "\(value)"
      case .completion(.finished): "|"
      case .completion(.failure(let error)): "x(\(error))"
      }
    }.joined(separator: " ")
  }
}

extension Publisher {
  /// Subscribes a new ``History`` that also writes to a log, and returns it.
  func history(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none,
    name: String = "downstream", log: CallLog
  ) -> History<Output, Failure> {
    let history = History<Output, Failure>(
      demand: demand, perValue: perValue, name: name, log: log)
    subscribe(history)
    return history
  }

  /// Subscribes a new ``History`` that runs a closure within each value, and returns it.
  @discardableResult
  func history(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none,
    log: CallLog? = nil, onValue: @escaping (History<Output, Failure>, Output) -> Void
  ) -> History<Output, Failure> {
    let history = History<Output, Failure>(demand: demand, perValue: perValue, log: log)
    history.onValue = { [unowned history] value in
      onValue(history, value)
      return .none
    }
    subscribe(history)
    return history
  }
}

extension CallLog {
  /// Compares all lines so far.
  func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(lines, expected, sourceLocation: sourceLocation)
  }
}

extension ScriptedPublisher {
  /// How many values have been requested, without unlimited demand.
  var requestedCount: Int {
    calls.reduce(0) { count, call in
      if case .request(let demand) = call { count + (demand.max ?? 0) } else { count }
    }
  }
}

/// The two ways in which a publisher can end.
enum End: CaseIterable, CustomStringConvertible {
  case finish, failure

  var completion: Subscribers.Completion<TestError> {
    self == .finish ? .finished : .failure("no more")
  }

  /// As in a ``CallLog``.
  var description: String { self == .finish ? "finished" : "failure no more" }

  /// As in a history's text.
  var mark: String { self == .finish ? "|" : "x(no more)" }
}
