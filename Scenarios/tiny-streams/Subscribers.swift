import ScenarioKit

// region: first-two
/// Takes two numbers, and cancels.
final class FirstTwo: Step3.Subscriber {
  private var subscription: (any Step3.Subscription)?
  private var count = 0

  func receive(subscription: any Step3.Subscription) { self.subscription = subscription }

  func receive(_ number: Int) {
    print("received", number)
    count += 1
    if count == 2 { subscription?.cancel() }
  }

  func receive(completion: Step3.Completion) { print("finished") }
}
// endregion

// region: reader
/// Reads as many pages as it's told to.
final class Reader: Step4.Subscriber {
  private var subscription: (any Step4.Subscription)?

  func receive(subscription: any Step4.Subscription) { self.subscription = subscription }

  func receive(_ page: String) -> Step4.Demand {
    print("reads", page)
    return .none
  }

  func receive(completion: Step4.Completion) { print("finished") }
  func read(_ count: Int) { subscription?.request(.max(count)) }
}
// endregion
