import StreamsFoundation

// region: recipe
extension Publisher {
  /// Writes a line for each signal that passes, and changes nothing.
  ///
  /// - Parameters:
  ///   - name: The beginning of each line.
  ///   - write: Takes the lines, on the thread of the signal.
  func logged(
    _ name: String, to write: @escaping (String) -> Void = { Swift.print($0) }
  ) -> Publishers.HandleEvents<Self> {
    handleEvents(
      receiveSubscription: { _ in write("\(name): subscribed") },
      receiveOutput: { write("\(name): \($0)") },
      receiveCompletion: { completion in
        switch completion {
        case .finished: write("\(name): finished")
        case .failure(let error): write("\(name): failed: \(error)")
        }
      },
      receiveCancel: { write("\(name): cancelled") },
      receiveRequest: { write("\(name): requested \($0.max.map(String.init) ?? "all")") })
  }
}
// endregion
