import StreamsFoundation

/// Shows each name in capitals, until `subscriptions` is emptied.
func greet(
  _ names: some Publisher<String, Never>, show: @escaping (String) -> Void,
  keepIn subscriptions: inout Set<AnyCancellable>
) {
  // Change only this.
  names.receive(on: DispatchQueue.main).sink { show($0.uppercased()) }
    .store(in: &subscriptions)
}
