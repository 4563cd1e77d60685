import VirtualTime

/// The distance between two instants: to scale, but never too short or too long.
struct TimeScale {
  private let instants: [VirtualTime]
  private let median: Double

  init(_ instants: [VirtualTime]) {
    self.instants = instants
    let gaps = zip(instants, instants.dropFirst()).map(gap).sorted()
    median = gaps.isEmpty ? 1 : max(gaps[(gaps.count - 1) / 2], 1)
  }

  /// The distance from the instant before, and whether time is cut there.
  func distance(before instant: Int) -> (width: Pixels, isCut: Bool) {
    guard instant > 0 else { return (0, false) }
    let pixels = gap(instants[instant - 1], instants[instant]) / median * 46
    if pixels > 126 { return (52, true) }
    return (Pixels(Int(max(32, pixels).rounded())), false)
  }
}

/// The nanoseconds between two instants.
private func gap(_ first: VirtualTime, _ second: VirtualTime) -> Double {
  Double(second.nanoseconds) - Double(first.nanoseconds)
}

/// Which stretches of the axis are to scale.
///
/// Signs need room, so the distance between two instants isn't always as long as the time. Most
/// stretches agree on a scale. The others are shown to be different.
struct AxisScale {
  /// How far a stretch may be from the scale.
  private static let tolerance = 1.3

  private let instants: [VirtualTime]
  /// Pixels per nanosecond; `nil` if there's nothing to compare.
  private let scale: Double?

  /// Finds the scale with the most others around it; of several, the smallest.
  init(_ blocks: [PictureLayout.Block], instants: [VirtualTime]) {
    self.instants = instants
    // In ascending order, so each has its neighbours next to it.
    let scales = blocks.flatMap(\.stretches).map { Self.scale($0, $1, instants) }.sorted()
    var (first, end) = (0, 0)
    var best: (scale: Double, count: Int)?
    for scale in scales {
      while !Self.agree(scales[first], scale) { first += 1 }
      while end < scales.count, Self.agree(scales[end], scale) { end += 1 }
      if end - first > best?.count ?? 0 { best = (scale, end - first) }
    }
    scale = best?.scale
  }

  /// Whether the distance between two instants is to scale.
  func isToScale(_ first: PictureLayout.Band, _ second: PictureLayout.Band) -> Bool {
    scale.map { Self.agree($0, Self.scale(first, second, instants)) } ?? true
  }

  private static func scale(
    _ first: PictureLayout.Band, _ second: PictureLayout.Band, _ instants: [VirtualTime]
  ) -> Double {
    let time = gap(instants[first.instant], instants[second.instant])
    return Double((second.first - first.last).halves) / max(1, time)
  }

  private static func agree(_ first: Double, _ second: Double) -> Bool {
    first <= second * tolerance && second <= first * tolerance
  }
}
