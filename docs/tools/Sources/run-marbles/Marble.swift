/// A value that knows which marbles of the inputs it's made of.
///
/// Operators pass it on, or a closure makes a new one from several. So `from` is what an operator
/// really used.
struct Marble: Hashable, Sendable {
  let text: String
  /// The numbers of the marbles, counted over all inputs from 0.
  let from: [Int]

  /// A marble with the texts and origins of both.
  static func + (lhs: Self, rhs: Self) -> Self {
    Marble(text: lhs.text + rhs.text, from: lhs.from + rhs.from)
  }
}
