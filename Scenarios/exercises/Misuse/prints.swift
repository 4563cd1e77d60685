import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  for number in 1...5 { print("line", number) }
  print("no end", terminator: "")
  return ["a", "b", "c"].publisher
}
