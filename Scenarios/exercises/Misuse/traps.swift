import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  if Date() > .distantPast { fatalError("not \u{1B}[31mred\u{1B}[0m\u{7}") }
  return ["a", "b", "c"].publisher
}
