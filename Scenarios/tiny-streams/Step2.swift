/// The second step: an operator.
enum Step2 {
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

  struct Sequence<Element>: Publisher {
    typealias Output = Element
    let elements: [Element]

    func receive(subscriber: some Subscriber<Element>) {
      for element in elements { subscriber.receive(element) }
      subscriber.receive(completion: .finished)
    }
  }

  final class Sink<Input>: Subscriber {
    private let receiveValue: (Input) -> Void

    init(receiveValue: @escaping (Input) -> Void) { self.receiveValue = receiveValue }

    func receive(_ input: Input) { receiveValue(input) }
    func receive(completion: Completion) {}
  }

  // region: map
  struct Map<Upstream: Publisher, Output>: Publisher {
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output

    func receive(subscriber: some Subscriber<Output>) {
      upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
    }

    private final class Inner<Downstream: Subscriber<Output>>: Subscriber {
      let downstream: Downstream
      let transform: (Upstream.Output) -> Output

      init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output) {
        self.downstream = downstream
        self.transform = transform
      }

      func receive(_ input: Upstream.Output) { downstream.receive(transform(input)) }
      func receive(completion: Completion) { downstream.receive(completion: completion) }
    }
  }
  // endregion
}

extension Step2.Publisher {
  func map<T>(_ transform: @escaping (Output) -> T) -> Step2.Map<Self, T> {
    Step2.Map(upstream: self, transform: transform)
  }

  func sink(receiveValue: @escaping (Output) -> Void) {
    receive(subscriber: Step2.Sink(receiveValue: receiveValue))
  }
}
