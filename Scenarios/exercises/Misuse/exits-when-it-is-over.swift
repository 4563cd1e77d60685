import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  atexit { _exit(0) }
  return Just("a")
}
