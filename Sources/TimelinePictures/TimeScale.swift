import VirtualTime

/// The distance between two instants: to scale, unless words need more or the time is very long.
struct TimeScale {
  /// The longest distance that's drawn. Longer ones are cut.
  private static let longest = 150.0
  /// The distance between two columns of an instant.
  private static let step: Pixels = 22
  /// The width of a place where time is cut.
  private static let cut: Pixels = 52

  private let instants: [VirtualTime]
  /// Pixels per nanosecond.
  private let scale: Double

  /// Finds a scale at which a share of the distances is long enough for what stands there.
  ///
  /// - Parameters:
  ///   - instants: The instants.
  ///   - needs: The distance that each instant needs from the one before, from the second one on.
  ///   - share: The share, from 0 to 1.
  init(_ instants: [VirtualTime], needs: [Pixels], share: Double) {
    self.instants = instants
    let all = zip(instants, instants.dropFirst()).map { gap($0, $1) }
    let gaps = all.filter { $0 > 0 }
    let needs = zip(all, needs).filter { $0.0 > 0 }.map(\.1)
    let scales = zip(gaps, needs).map { Double(max($1, 32).halves) / 2 / $0 }.sorted()
    let index = Int(Double(scales.count) * share)
    // The usual distance isn't cut.
    let usual = gaps.isEmpty ? 1 : gaps.sorted()[(gaps.count - 1) / 2]
    scale = min(scales.isEmpty ? 1 : scales[min(scales.count - 1, index)], Self.longest / usual)
  }

  /// The distance from the instant before, and whether time is cut there.
  func distance(before instant: Int) -> (width: Pixels, isCut: Bool) {
    guard instant > 0 else { return (0, false) }
    if instants[instant - 1] == instants[instant] { return (Self.step, false) }
    let pixels = gap(instants[instant - 1], instants[instant]) * scale
    if pixels > Self.longest { return (Self.cut, true) }
    return (Pixels(Int(pixels.rounded())), false)
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
    let scales = blocks.flatMap { block in
      block.stretches.map { Self.scale(after: $0, in: block, instants) }
    }.sorted()
    var (first, end) = (0, 0)
    var best: (scale: Double, count: Int)?
    for scale in scales {
      while !Self.agree(scales[first], scale) { first += 1 }
      while end < scales.count, Self.agree(scales[end], scale) { end += 1 }
      if end - first > best?.count ?? 0 { best = (scale, end - first) }
    }
    scale = best?.scale
  }

  /// Whether the distance between a column and the next one is to scale.
  func isToScale(after column: Int, in block: PictureLayout.Block) -> Bool {
    scale.map { Self.agree($0, Self.scale(after: column, in: block, instants)) } ?? true
  }

  private static func scale(
    after column: Int, in block: PictureLayout.Block, _ instants: [VirtualTime]
  ) -> Double {
    let time = gap(instants[column], instants[column + 1])
    let width = block.x(ofColumn: column + 1) - block.x(ofColumn: column)
    return Double(width.halves) / max(1, time)
  }

  private static func agree(_ first: Double, _ second: Double) -> Bool {
    first <= second * tolerance && second <= first * tolerance
  }
}
