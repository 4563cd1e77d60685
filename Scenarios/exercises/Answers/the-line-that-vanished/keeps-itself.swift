import StreamsFoundation

/// Shows the latest message.
final class Display {
  private let show: (String) -> Void
  private var subscription: AnyCancellable?

  init(show: @escaping (String) -> Void) { self.show = show }

  func listen(to messages: some Publisher<String, Never>) {
    // Change only this.
    subscription = messages.sink { message in self.show(message) }
  }
}
