/// The look of a value's spine, by which a reader follows it from lane to lane: one of six colours,
/// which colour-blind people can tell apart, and one of six notches.
struct ValueTint: Hashable {
  /// The number of colours, and of notches.
  static let count = 6

  /// From 0.
  let colour: Int
  /// From 0, for a whole spine.
  let notch: Int

  /// The look of the values that a part makes, in their order. The first six differ in both colour
  /// and notch, and the first 36 in one of them.
  init(number: Int) {
    colour = number % Self.count
    notch = (number + number / Self.count) % Self.count
  }
}

/// Gives each value the tints of the values that it's made of.
///
/// A value that's made of no other gets a tint of its own, if something is made of it. A value that
/// stands alone needs none.
struct ValueTints {
  /// The largest number of tints that a value shows. If it's made of more values, the latest count.
  static let limit = 3

  /// By position of the event, oldest first.
  private(set) var tints: [[ValueTint]]

  /// Finds the tints of these events.
  ///
  /// - Parameters:
  ///   - events: The events in the order of time.
  ///   - origins: For each event, the positions of the values that it's made of.
  ///   - isHidden: Whether an event isn't drawn.
  init(_ events: [Timeline.Event], origins: [[Int]], isHidden: [Bool]) {
    tints = events.map { _ in [] }
    var isUsed = events.map { _ in false }
    for (origins, isHidden) in zip(origins, isHidden) where !isHidden {
      for origin in origins { isUsed[origin] = true }
    }
    var born = 0
    for index in events.indices {
      let inherited = origins[index].flatMap { tints[$0] }
      if !inherited.isEmpty {
        // The last of those that are there twice, so that the newest stands last.
        let latest = Array(inherited.reversed().withoutRepeats().prefix(Self.limit))
        tints[index] = latest.reversed()
      } else if isUsed[index], case .value = events[index].kind {
        tints[index] = [ValueTint(number: born)]
        born += 1
      }
    }
  }
}
