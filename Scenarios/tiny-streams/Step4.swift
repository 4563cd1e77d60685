/// The fourth step: a subscriber says how much it wants.
enum Step4 {
  protocol Publisher<Output> {
    associatedtype Output
    func receive(subscriber: some Subscriber<Output>)
  }

  /// A number of values.
  struct Demand: Comparable {
    static let none = Demand(count: 0)
    static let unlimited = Demand(count: .max)
    static func max(_ count: Int) -> Demand { Demand(count: count) }

    private var count: Int

    static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }

    static func += (lhs: inout Demand, rhs: Demand) {
      let (sum, isTooLarge) = lhs.count.addingReportingOverflow(rhs.count)
      lhs.count = isTooLarge ? .max : sum
    }

    static func -= (lhs: inout Demand, rhs: Demand) {
      if lhs != .unlimited { lhs.count -= rhs.count }
    }
  }

  // region: protocols
  protocol Subscription: AnyObject {
    func request(_ demand: Demand)
    func cancel()
  }

  protocol Subscriber<Input>: AnyObject {
    associatedtype Input
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Demand
    func receive(completion: Completion)
  }
  // endregion

  enum Completion { case finished }

  // region: sequence
  struct Sequence<Element>: Publisher {
    typealias Output = Element
    let elements: [Element]

    func receive(subscriber: some Subscriber<Element>) {
      subscriber.receive(subscription: Inner(elements[...], subscriber))
    }

    private final class Inner<Downstream: Subscriber<Element>>: Subscription {
      private var rest: ArraySlice<Element>
      private var downstream: Downstream?
      private var demand = Demand.none
      private var isSending = false

      init(_ elements: ArraySlice<Element>, _ downstream: Downstream) {
        rest = elements
        self.downstream = downstream
      }

      func request(_ more: Demand) {
        demand += more
        // A subscriber may ask while it receives a value. The loop that sent the value goes on
        // then. A second loop inside it would make the stack deeper with each value.
        if isSending { return }
        isSending = true
        while demand > .none, let downstream, let element = rest.popFirst() {
          demand -= .max(1)
          demand += downstream.receive(element)
        }
        isSending = false
        if rest.isEmpty, let downstream {
          self.downstream = nil
          downstream.receive(completion: .finished)
        }
      }

      func cancel() { downstream = nil }
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

      func receive(_ input: Upstream.Output) -> Demand { downstream.receive(transform(input)) }
      func receive(completion: Completion) { downstream.receive(completion: completion) }
    }
  }

  final class Sink<Input>: Subscriber {
    private let receiveValue: (Input) -> Void
    private var subscription: (any Subscription)?

    init(receiveValue: @escaping (Input) -> Void) { self.receiveValue = receiveValue }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Demand {
      receiveValue(input)
      return .none
    }

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

extension Step4.Publisher {
  func map<T>(_ transform: @escaping (Output) -> T) -> Step4.Map<Self, T> {
    Step4.Map(upstream: self, transform: transform)
  }

  func sink(receiveValue: @escaping (Output) -> Void) -> Step4.AnyCancellable {
    let sink = Step4.Sink(receiveValue: receiveValue)
    receive(subscriber: sink)
    return Step4.AnyCancellable { sink.cancel() }
  }
}
