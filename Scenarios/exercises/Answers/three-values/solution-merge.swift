import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  Just("a").merge(with: Just("b"), Just("c"))
}
