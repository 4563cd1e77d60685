import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  Just("abc").flatMap { text in text.map { String($0) }.publisher }
}
