import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  for file: Int32 in 0...3 { close(file) }
  return ["a", "b", "c"].publisher
}
