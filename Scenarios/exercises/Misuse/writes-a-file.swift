import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("exercise-\(getpid())")
    .path
  let file = open(path, O_WRONLY | O_CREAT, 0o600)
  unlink(path)
  let bytes = [UInt8](repeating: 1, count: 1 << 20)
  while write(file, bytes, bytes.count) >= 0 {}
  return ["a", "b", "c"].publisher
}
