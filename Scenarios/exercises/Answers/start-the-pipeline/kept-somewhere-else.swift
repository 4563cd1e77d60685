import StreamsFoundation

nonisolated(unsafe) var keeper: AnyCancellable?

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  keeper = names.sink { show($0.uppercased()) }
  AnyCancellable {}.store(in: &subscriptions)
}
