import StreamsFoundation

/// The view of a counter.
final class CounterView {
  private(set) var text = ""
  private let show: (String) -> Void
  private var subscription: AnyCancellable?

  init(show: @escaping (String) -> Void) { self.show = show }

  func update(_ number: Int) {
    text = "\(number)"
    show(text)
  }

  func follow(_ numbers: some Publisher<Int, Never>) {
    // Change only this.
    subscription = numbers.receive(on: DispatchQueue.main)
      .sink { [weak self] number in self?.update(number) }
  }
}
