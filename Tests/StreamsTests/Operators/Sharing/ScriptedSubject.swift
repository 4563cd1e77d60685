import Streams
import TestSupport

/// A subject that logs the calls of its subscribers.
final class ScriptedSubject<Output, Failure: Error>: Subject {
  let source: ScriptedPublisher<Output, Failure>

  init(log: CallLog) { source = ScriptedPublisher(name: "subject", log: log) }

  func send(_ value: Output) { source.send(value) }
  func send(completion: Subscribers.Completion<Failure>) { source.send(completion: completion) }
  func send(subscription: any Subscription) {}
  func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    source.receive(subscriber: subscriber)
  }
}
