extension String {
  /// The most similar one of other texts; `nil` if none is similar enough.
  ///
  /// - Parameters:
  ///   - others: The texts to choose from.
  ///   - limit: How many changes make a text another one.
  package func nearest(among others: [String], atMost limit: Int) -> String? {
    others.compactMap { other in
      other.distance(to: self, atMost: limit).map { (text: other, distance: $0) }
    }.min { $0.distance < $1.distance }?.text
  }

  /// How many characters have to be put in, left out, replaced or swapped with the next one to get
  /// another text; `nil` if that's more than a limit.
  ///
  /// Texts of very different lengths aren't compared, so a long text takes no longer than its
  /// reading.
  package func distance(to other: String, atMost limit: Int) -> Int? {
    let from = Array(self)
    let to = Array(other.prefix(from.count + limit + 1))
    guard abs(from.count - to.count) <= limit else { return nil }
    // Row i has the distances of the first i characters to each beginning of the other text.
    var rows = [Array(0...to.count)]
    for i in 0..<from.count {
      var row = [i + 1]
      for j in 0..<to.count {
        var distance = Swift.min(
          rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
        if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
          distance = Swift.min(distance, rows[i - 1][j - 1] + 1)
        }
        row.append(distance)
      }
      rows.append(row)
    }
    let distance = rows[from.count][to.count]
    return distance <= limit ? distance : nil
  }
}
