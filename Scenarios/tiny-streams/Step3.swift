/// The third step: a subscriber can stop.
enum Step3 {
  protocol Publisher<Output> {
    associatedtype Output
    func receive(subscriber: some Subscriber<Output>)
  }

  // region: subscription
  /// The way back: a subscriber tells its publisher something.
  protocol Subscription: AnyObject {
    func cancel()
  }

  protocol Subscriber<Input>: AnyObject {
    associatedtype Input
    func receive(subscription: any Subscription)
    func receive(_ input: Input)
    func receive(completion: Completion)
  }
  // endregion

  enum Completion { case finished }

  // region: sequence
  struct Sequence<Element>: Publisher {
    typealias Output = Element
    let elements: [Element]

    func receive(subscriber: some Subscriber<Element>) {
      let inner = Inner()
      subscriber.receive(subscription: inner)
      for element in elements {
        if inner.isCancelled { return }
        subscriber.receive(element)
      }
      if !inner.isCancelled { subscriber.receive(completion: .finished) }
    }

    private final class Inner: Subscription {
      private(set) var isCancelled = false
      func cancel() { isCancelled = true }
    }
  }
  // endregion

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

      func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
      }

      func receive(_ input: Upstream.Output) { downstream.receive(transform(input)) }
      func receive(completion: Completion) { downstream.receive(completion: completion) }
    }
  }

  final class Sink<Input>: Subscriber {
    private let receiveValue: (Input) -> Void
    private var subscription: (any Subscription)?

    init(receiveValue: @escaping (Input) -> Void) { self.receiveValue = receiveValue }

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Input) { receiveValue(input) }
    func receive(completion: Completion) { subscription = nil }
    func cancel() { subscription?.cancel() }
  }

  final class AnyCancellable {
    private let onCancel: () -> Void

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }
    func cancel() { onCancel() }
    deinit { onCancel() }
  }
}

extension Step3.Publisher {
  func map<T>(_ transform: @escaping (Output) -> T) -> Step3.Map<Self, T> {
    Step3.Map(upstream: self, transform: transform)
  }

  func sink(receiveValue: @escaping (Output) -> Void) -> Step3.AnyCancellable {
    let sink = Step3.Sink(receiveValue: receiveValue)
    receive(subscriber: sink)
    return Step3.AnyCancellable { sink.cancel() }
  }
}
