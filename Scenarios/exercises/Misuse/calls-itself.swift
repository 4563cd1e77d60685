import StreamsFoundation

private func depth(_ number: Int) -> Int { number < 0 ? 0 : depth(number + 1) + 1 }

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  _ = depth(0)
  return ["a", "b", "c"].publisher
}
