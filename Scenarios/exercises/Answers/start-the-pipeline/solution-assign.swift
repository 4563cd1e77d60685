import StreamsFoundation

final class Line {
  private let show: (String) -> Void
  var text = "" { didSet { show(text) } }

  init(show: @escaping (String) -> Void) { self.show = show }
}

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  names.map { $0.uppercased() }.assign(to: \.text, on: Line(show: show))
    .store(in: &subscriptions)
}
