import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  Record(output: ["a", "b", "c"], completion: .finished)
}
