extension Diagram {
  /// All ways to choose slots for some items of one input, in lexicographic order.
  static func choices(_ count: Int, of slots: Int) -> [[Int]] {
    func choose(_ count: Int, from first: Int) -> [[Int]] {
      guard count > 0 else { return [[]] }
      return (first..<slots).flatMap { slot in
        choose(count - 1, from: slot + 1).map { [slot] + $0 }
      }
    }
    return choose(count, from: 0)
  }

  /// All arrangements. The choices of the last input change fastest.
  var arrangements: [[[Int]]] {
    inputs.reduce([[]]) { heads, input in
      let choices = Self.choices(input.itemCount, of: input.slotCount(of: slots))
      return heads.flatMap { head in choices.map { head + [$0] } }
    }
  }
}
