import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  while Date() > .distantPast { FileHandle.standardError.write(Data("again and again\n".utf8)) }
  return ["a", "b", "c"].publisher
}
