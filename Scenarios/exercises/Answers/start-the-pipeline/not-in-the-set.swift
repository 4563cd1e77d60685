import StreamsFoundation

nonisolated(unsafe) var keeper: [AnyCancellable] = []

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  let subscription = names.map { $0.uppercased() }.sink(receiveValue: show)
  keeper.append(subscription)
}
