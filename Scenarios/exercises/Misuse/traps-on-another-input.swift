import StreamsFoundation

nonisolated(unsafe) private var calls = 0

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  calls += 1
  print("call", calls)
  precondition(calls < 2, "only once")
  return ["a", "b", "c"].publisher
}
