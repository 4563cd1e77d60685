import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  print("\u{1B}[2J\u{1B}]0;title\u{7}a\rb \u{9B}31m \u{202E}c é 👩‍👩‍👧\tend")
  return ["\u{1B}[2J", "b\u{202E}", String(repeating: "long", count: 100)].publisher
}
