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
  /// Whether the names stand above the lanes. Otherwise they stand to the left.
  let hasLabelsAbove: Bool
  /// The width of the column of names.
  let labelWidth: Pixels
  /// The width that columns may take.
  let columnsWidth: Pixels

  /// The space between the edge and the content.
  static let margin: Pixels = 12
  /// The height of the axis.
  static let axisHeight: Pixels = 28

  /// The height of a row.
  var rowHeight: Pixels { hasLabelsAbove ? 46 : 37 }
  /// The distance from the top of a row to the middle of its marks.
  var middle: Pixels { hasLabelsAbove ? 30 : 20 }

  init(labels names: [String], above: Bool, width: Int) {
    let longest = Pixels.monospaced(names.map(\.cells).max() ?? 0, size: 12)
    hasLabelsAbove = above
    labelWidth = above ? 0 : longest + 14
    columnsWidth = max(Pixels(width) - 2 * Self.margin - labelWidth, 1)
  }
}
