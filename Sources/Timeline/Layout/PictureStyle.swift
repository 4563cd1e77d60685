extension Timeline {
  /// The widths that a picture is made for.
  public enum PictureStyle: String, Hashable, Sendable, CaseIterable {
    /// For a page on a desktop: up to 720 pixels.
    case wide
    /// For a phone: up to 360 pixels, in more blocks.
    case narrow

    /// The default width in pixels.
    public var width: Int { self == .wide ? 720 : 360 }
  }
}

/// The place of lanes' names, and the distances that follow from it.
struct PictureMetrics: Equatable {
  /// Whether the names stand above the lanes, at their left end. Otherwise they stand to the left.
  let hasLabelsAbove: Bool
  /// The width of the column of names.
  let labelWidth: Pixels
  /// The width that columns may take.
  let columnsWidth: Pixels

  /// The space between the edge and the content.
  static let margin: Pixels = 12
  /// The height of the axis.
  static let axisHeight: Pixels = 32
  /// The height of the threads' names and bars.
  static let threadHeight: Pixels = 24
  /// The space above and below the signs of a row.
  static let rowGap: Pixels = 9

  /// The height of a name above its lane.
  var nameHeight: Pixels { hasLabelsAbove ? 15 : 0 }

  /// Names stand above their lanes in a picture for a phone, or if they'd take too much width.
  init(labels names: [String], width: Int) {
    let longest = Pixels.monospaced(names.map(\.cells).max() ?? 0, size: 12) + 14
    let all = Pixels(width) - 2 * Self.margin
    hasLabelsAbove =
      width <= Timeline.PictureStyle.narrow.width || longest + longest + longest > all
    labelWidth = hasLabelsAbove ? 0 : longest
    columnsWidth = max(all - labelWidth, 1)
  }
}
