import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  while Date() > .distantPast { FileHandle(fileDescriptor: 3).write(Data("right right\n".utf8)) }
  return ["a", "b", "c"].publisher
}
