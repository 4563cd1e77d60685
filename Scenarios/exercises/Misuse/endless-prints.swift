import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  while Date() > .distantPast { print("again and again") }
  return ["a", "b", "c"].publisher
}
