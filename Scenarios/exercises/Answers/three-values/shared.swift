import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  ["a", "b", "c"].publisher.share()
}
