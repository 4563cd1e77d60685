import StreamsFoundation

/// Shows the latest message.
final class Display {
  private let show: (String) -> Void
  private var subscription: AnyCancellable?

  init(show: @escaping (String) -> Void) { self.show = show }

  func listen(to messages: some Publisher<String, Never>) {
    // Change only this.
    let lines = PassthroughSubject<String, Never>()
    let shown = lines.sink { [show] message in show(message) }
    let fed = messages.subscribe(lines)
    subscription = AnyCancellable {
      fed.cancel()
      shown.cancel()
    }
  }
}
