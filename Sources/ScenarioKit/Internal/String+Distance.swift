extension String {
  /// How many characters have to be put in, left out, replaced or swapped with the next one to get
  /// another text.
  func distance(to other: String) -> Int {
    let (from, to) = (Array(self), Array(other))
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
    return rows[from.count][to.count]
  }
}
