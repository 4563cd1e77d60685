import TestSupport

@testable import Streams

/// A subscriber that lets a source emit in the same call that attaches it, as a sink does.
struct EndingSubscriber<Failure: Error>: Subscriber {
  private let history: History<Int, Failure>

  init(_ history: History<Int, Failure>) { self.history = history }

  static var _requestsLast: _Hint<Bool> { .yes }

  var combineIdentifier: CombineIdentifier { history.combineIdentifier }

  func receive(subscription: any Subscription) { history.receive(subscription: subscription) }
  func receive(_ input: Int) -> Subscribers.Demand { history.receive(input) }
  func receive(completion: Subscribers.Completion<Failure>) {
    history.receive(completion: completion)
  }
}
