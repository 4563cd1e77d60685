import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  var number = Int8(CommandLine.arguments.count) + 125
  number += 5
  print(number)
  return ["a", "b", "c"].publisher
}
