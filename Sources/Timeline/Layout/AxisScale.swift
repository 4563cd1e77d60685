import VirtualTime

/// Which stretches of the axis are to scale.
///
/// Signs need room, so the distance between two instants isn't always as long as the time. Most
/// stretches agree on a scale. The others are shown to be different.
struct AxisScale {
  /// Pixels per nanosecond; `nil` if there's nothing to compare.
  private let scale: Double?

  /// How far a stretch may be from the scale.
  private static let tolerance = 1.3

  /// Finds the scale that most stretches have.
  ///
  /// - Parameters:
  ///   - blocks: The blocks.
  ///   - instants: The instants of the diagram.
  init(_ blocks: [PictureLayout.Block], instants: [VirtualTime]) {
    let scales = blocks.flatMap { block in
      zip(block.bands, block.bands.dropFirst()).compactMap { first, second in
        block.isCut(between: first, second) ? nil : Self.scale(first, second, instants)
      }
    }
    scale = Self.mostCommon(of: scales.sorted())
  }

  /// The scale with the most others around it; of several, the smallest.
  ///
  /// - Parameter sorted: The scales in ascending order, so each has its neighbours next to it.
  private static func mostCommon(of sorted: [Double]) -> Double? {
    var (first, end) = (0, 0)
    var best: (scale: Double, count: Int)?
    for scale in sorted {
      while !agree(sorted[first], scale) { first += 1 }
      while end < sorted.count, agree(sorted[end], scale) { end += 1 }
      if end - first > best?.count ?? 0 { best = (scale, end - first) }
    }
    return best?.scale
  }

  /// Whether the distance between two instants is to scale.
  func isToScale(
    _ first: PictureLayout.Band, _ second: PictureLayout.Band, _ instants: [VirtualTime]
  ) -> Bool {
    scale.map { Self.agree($0, Self.scale(first, second, instants)) } ?? true
  }

  private static func scale(
    _ first: PictureLayout.Band, _ second: PictureLayout.Band, _ instants: [VirtualTime]
  ) -> Double {
    let time = instants[second.instant].nanoseconds - instants[first.instant].nanoseconds
    return Double((second.first - first.last).halves) / Double(max(1, time))
  }

  private static func agree(_ first: Double, _ second: Double) -> Bool {
    first <= second * tolerance && second <= first * tolerance
  }
}

extension PictureLayout.Block {
  /// Whether time is cut between two instants of the block.
  func isCut(between first: PictureLayout.Band, _ second: PictureLayout.Band) -> Bool {
    breaks.contains { first.last < $0 && $0 < second.first }
  }
}
