import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  kill(getppid(), SIGKILL)
  Thread.sleep(forTimeInterval: 5)
  return ["a", "b", "c"].publisher
}
