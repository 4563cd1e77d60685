import StreamsFoundation

nonisolated(unsafe) var kept: Set<AnyCancellable> = []

/// Shows the latest message.
final class Display {
  private let show: (String) -> Void
  private var subscription: AnyCancellable?

  init(show: @escaping (String) -> Void) { self.show = show }

  func listen(to messages: some Publisher<String, Never>) {
    // Change only this.
    messages.sink { [show] message in show(message) }.store(in: &kept)
  }
}
