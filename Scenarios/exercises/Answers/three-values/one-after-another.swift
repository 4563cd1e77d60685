import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  ["a", "b", "c"].publisher
    .flatMap(maxPublishers: .max(1)) { Just($0).delay(for: 0.01, scheduler: DispatchQueue.main) }
}
