import StreamsFoundation

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  names.prefix(3).map { $0.uppercased() }.sink(receiveValue: show).store(in: &subscriptions)
}
