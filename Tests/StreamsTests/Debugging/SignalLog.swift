import Streams
import TestSupport
import Testing

/// A hook that records each signal as a line.
///
/// A line that starts with `>` is written before the signal passes, and one with `<` afterwards:
///
///     > subscribe Sink to Just
///     > Sink: subscription Just
///     > Just: request unlimited
///     > Sink: value 1
///     < Sink: value 1, demand 0
///
/// A hook is told about all pipelines of the process. So a test with a hook needs a process of its
/// own.
final class SignalLog: _Introspection, Sendable {
  /// Called with each line, within the call of the hook.
  typealias Action = @Sendable (SignalLog, String) -> Void

  private let text = Locked<[String]>([])
  private let name: String
  private let action: Action

  init(name: String = "", onLine action: @escaping Action = { _, _ in }) {
    self.name = name
    self.action = action
  }

  /// A hook that is told everything from now on.
  static func enabled() -> SignalLog {
    let log = SignalLog()
    log.enable()
    return log
  }

  /// The lines so far, for a test to read and remove.
  func takeLines() -> [String] {
    text.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// The lines that say who is attached to which publisher, as in `Sink to Just`.
  func takeAttachments() -> [String] {
    let start = "> subscribe "
    return takeLines().filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }

  /// Compares the lines so far, and removes them.
  ///
  /// A process of its own passes only the comment of a failure on, so the lines are in there.
  func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = takeLines()
    expectEqual(lines, expected, "\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  /// Compares the attachments so far, and removes all lines.
  func expectAttachments(
    _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = takeAttachments()
    expectEqual(lines, expected, "\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  func willReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {
    write("> subscribe \(named(subscriber)) to \(shortened(P.self))")
  }

  func didReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {
    write("< subscribe \(named(subscriber)) to \(shortened(P.self))")
  }

  func willReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber {
    write("> \(named(subscriber)): subscription \(subscription)")
  }

  func didReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber {
    write("< \(named(subscriber)): subscription \(subscription)")
  }

  func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber {
    write("> \(named(subscriber)): value \(input)")
  }

  func didReceive<S>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)
  where S: Subscriber {
    write("< \(named(subscriber)): value \(input), demand \(resultingDemand)")
  }

  func willReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber {
    write("> \(named(subscriber)): \(completion)")
  }

  func didReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber {
    write("< \(named(subscriber)): \(completion)")
  }

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    write("> \(subscription): request \(demand)")
  }

  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    write("< \(subscription): request \(demand)")
  }

  func willCancel(subscription: any Subscription) { write("> \(subscription): cancel") }

  func didCancel(subscription: any Subscription) { write("< \(subscription): cancel") }

  /// The description of a subscriber, or else its type.
  private func named<S: Subscriber>(_ subscriber: S) -> String {
    (subscriber as? any CustomStringConvertible)?.description ?? shortened(S.self)
  }

  /// The name of a type without its generic arguments.
  private func shortened(_ type: Any.Type) -> String { String("\(type)".prefix { $0 != "<" }) }

  private func write(_ line: String) {
    let line = name + line
    text.withLock { $0.append(line) }
    action(self, line)
  }
}
