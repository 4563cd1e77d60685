import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  kill(getpid(), SIGKILL)
  return ["a", "b", "c"].publisher
}
