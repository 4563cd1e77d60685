import StreamsFoundation

// region: recipe
/// The lines of a text, as many as are requested.
struct Lines: Publisher {
  typealias Output = Substring
  typealias Failure = Never

  let text: String

  func receive(subscriber: some Subscriber<Substring, Never>) {
    subscriber.receive(subscription: Reading(text, for: subscriber))
  }

  private final class Reading<Downstream: Subscriber<Substring, Never>>: Subscription {
    private var lines: ArraySlice<Substring>
    private var demand = Subscribers.Demand.none
    private var isDelivering = false
    /// `nil` after the end.
    private var downstream: Downstream?

    init(_ text: String, for downstream: Downstream) {
      lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
      self.downstream = downstream
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      // A subscriber may request more while it receives a value: the loop goes on with that.
      guard !isDelivering else { return }
      isDelivering = true
      while let downstream, self.demand > .none, let line = lines.popFirst() {
        self.demand -= 1
        self.demand += downstream.receive(line)
      }
      isDelivering = false
      guard lines.isEmpty, let downstream else { return }
      self.downstream = nil
      downstream.receive(completion: .finished)
    }

    func cancel() { downstream = nil }
  }
}
// endregion
