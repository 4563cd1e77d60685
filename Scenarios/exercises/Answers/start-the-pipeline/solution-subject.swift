import StreamsFoundation

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  let capitals = PassthroughSubject<String, Never>()
  capitals.sink(receiveValue: show).store(in: &subscriptions)
  names.map { $0.uppercased() }.subscribe(capitals).store(in: &subscriptions)
}
