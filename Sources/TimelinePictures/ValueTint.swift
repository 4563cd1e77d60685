import Timeline

/// The look of a value's spine, by which a reader follows it from lane to lane: one of six colours,
/// which colour-blind people can tell apart, and one of six notches.
struct ValueTint: Hashable {
  /// The number of colours, and of notches.
  static let count = 6

  /// The largest number of tints that a value shows. If it's made of more values, the latest count.
  private static let limit = 3

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

  /// For each event, the tints of the values that it's made of, oldest first.
  ///
  /// A value that's made of no other gets a tint of its own, if something is made of it or if the
  /// program got it. One that was dropped, or that only made something happen, needs none.
  static func tints(_ lanes: LaneRows) -> [[ValueTint]] {
    var tints: [[ValueTint]] = []
    var used: Set<Int> = []
    for (origins, isHidden) in zip(lanes.origins, lanes.isHidden) where !isHidden {
      used.formUnion(origins)
    }
    let fates = ValueFate.fates(lanes)
    var born = 0
    for (index, event) in lanes.events.enumerated() {
      let inherited = lanes.origins[index].flatMap { tints[$0] }
      if !inherited.isEmpty {
        // The last of those that are there twice, so that the newest stands last.
        let latest = Array(inherited.reversed().withoutRepeats().prefix(limit))
        tints.append(latest.reversed())
      } else if used.contains(index) || fates[index] == .delivered, case .value = event.kind {
        tints.append([ValueTint(number: born)])
        born += 1
      } else {
        tints.append([])
      }
    }
    return tints
  }
}
