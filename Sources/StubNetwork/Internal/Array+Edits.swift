extension Array where Element: Equatable {
  /// Returns how many elements have to be inserted, removed or replaced to make the other array
  /// from this one: the Levenshtein distance.
  ///
  /// It takes time in proportion to the product of both lengths, without the common beginning and
  /// end.
  func edits(to other: [Element]) -> Int {
    let start = zip(self, other).prefix { $0 == $1 }.count
    let (first, second) = (dropFirst(start), other.dropFirst(start))
    let end = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    let (old, new) = (first.dropLast(end), second.dropLast(end))
    // The distances from the beginning of `old` so far to each beginning of `new`.
    var distances = Array<Int>(0...new.count)
    for (row, element) in old.enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for (column, other) in new.enumerated() {
        let replaced = diagonal + (element == other ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = Swift.min(replaced, diagonal + 1, distances[column] + 1)
      }
    }
    return distances[new.count]
  }
}
