/// The first step: values go straight from a publisher to a subscriber.
enum Step1 {
  // region: protocols
  /// Describes values that can be delivered.
  protocol Publisher<Output> {
    associatedtype Output
    func receive(subscriber: some Subscriber<Output>)
  }

  /// Receives them, and then the end.
  protocol Subscriber<Input>: AnyObject {
    associatedtype Input
    func receive(_ input: Input)
    func receive(completion: Completion)
  }

  enum Completion { case finished }
  // endregion

  // region: sequence
  struct Sequence<Element>: Publisher {
    typealias Output = Element
    let elements: [Element]

    func receive(subscriber: some Subscriber<Element>) {
      for element in elements { subscriber.receive(element) }
      subscriber.receive(completion: .finished)
    }
  }
  // endregion

  // region: sink
  final class Sink<Input>: Subscriber {
    private let receiveValue: (Input) -> Void

    init(receiveValue: @escaping (Input) -> Void) { self.receiveValue = receiveValue }

    func receive(_ input: Input) { receiveValue(input) }
    func receive(completion: Completion) {}
  }
  // endregion
}

extension Step1.Publisher {
  func sink(receiveValue: @escaping (Output) -> Void) {
    receive(subscriber: Step1.Sink(receiveValue: receiveValue))
  }
}
