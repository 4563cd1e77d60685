import StreamsFoundation

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  subscriptions.insert(names.sink { name in show(name.uppercased()) })
}
