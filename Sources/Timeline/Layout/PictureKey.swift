extension Timeline {
  /// Signs that a picture's key explains: those that have no word next to them.
  public struct PictureKey: OptionSet, Hashable, Sendable {
    /// A bit for each sign.
    public let rawValue: Int

    /// Makes a key from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The triangle: subscribed, or sent.
    public static let start = PictureKey(rawValue: 1)
    /// The small number or `∞`: demand.
    public static let demand = PictureKey(rawValue: 2)
    /// The bar: finished.
    public static let finished = PictureKey(rawValue: 4)
    /// The cross: failed.
    public static let failed = PictureKey(rawValue: 8)
    /// The hollow square: cancelled.
    public static let cancelled = PictureKey(rawValue: 16)
    /// The solid arrow: made of this value.
    public static let made = PictureKey(rawValue: 32)
    /// The dotted arrow: made it happen.
    public static let happened = PictureKey(rawValue: 64)
    /// The clock: a timer.
    public static let timer = PictureKey(rawValue: 128)
    /// The bracket: all of this at once.
    public static let atOnce = PictureKey(rawValue: 256)

    /// All signs.
    public static let all = PictureKey(rawValue: 511)
  }
}

extension Timeline.Recording {
  /// The signs that the picture of a part needs a key for. A page that shows several pictures
  /// explains each sign once.
  ///
  /// - Parameter part: The position of the part.
  /// - Returns: The signs.
  public func pictureKey(ofPart part: Int) -> Timeline.PictureKey {
    Picture(self, part: part, width: Timeline.PictureStyle.wide.width).key
  }
}

extension Picture {
  /// The signs in use that have no word next to them.
  var key: Timeline.PictureKey {
    var key: Timeline.PictureKey = []
    for layout in parts.map(\.layout) {
      for (sign, mark) in zip(layout.signs, layout.diagram.marks) where !mark.isHidden {
        switch sign {
        case .start: key.insert(.start)
        case .demand: key.insert(.demand)
        case .finished, .response(_, isComplete: true): key.insert(.finished)
        case .failure: key.insert(.failed)
        case .cancelled: key.insert(.cancelled)
        case .value, .response, .printed, .part: break
        }
      }
      if layout.blocks.contains(where: { $0.bands.contains { $0.first < $0.last } }) {
        key.insert(.atOnce)
      }
      for arrow in layout.drawnArrows {
        key.insert(arrow.isMade ? .made : .happened)
        if arrow.hasTimer { key.insert(.timer) }
      }
    }
    return key
  }
}
