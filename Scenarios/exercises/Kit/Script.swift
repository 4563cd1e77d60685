import StreamsTesting

/// What a source sends, or what should come of it: values and an end, with times in milliseconds.
///
/// A check that says what's wanted as a function of what's given works for every input.
public struct Script<Value> {
  /// How a stream ends.
  public enum Ending: Sendable { case finished, failed, none }

  /// The values, in order of time.
  public var values: [(value: Value, time: Int)]

  /// How it ends.
  public var ending: Ending

  /// When it ends. Without an end, it means nothing.
  public var end: Int

  /// Makes a script. Without `end`, it goes on.
  public init(_ values: [(value: Value, time: Int)], end: Int? = nil, fails: Bool = false) {
    self.values = values
    self.end = end ?? 0
    ending = end == nil ? .none : fails ? .failed : .finished
  }

  /// The script with other values, at the same times and with the same end.
  public func map<Other>(_ transform: (Value) -> Other) -> Script<Other> {
    with(values.map { (transform($0.value), $0.time) })
  }

  /// The script with only some of its values.
  public func filter(_ isIncluded: (Value) -> Bool) -> Script {
    with(values.filter { isIncluded($0.value) })
  }

  /// The script with the results of a step that remembers something, such as a sum.
  public func scan<Other>(_ start: Other, _ next: (Other, Value) -> Other) -> Script<Other> {
    var last = start
    return map {
      last = next(last, $0)
      return last
    }
  }

  /// The script with other values and the same end.
  public func with<Other>(_ values: [(value: Other, time: Int)]) -> Script<Other> {
    Script<Other>(values, end: ending == .none ? nil : end, fails: ending == .failed)
  }

  /// The script with longer pauses between two values: those that `isFine` refuses get a column
  /// more.
  ///
  /// Two things at one moment come in an order that depends on details, so a check may have to keep
  /// them apart.
  public func spaced(where isFine: (Int) -> Bool) -> Script {
    var script = self
    var (last, shift) = (0, 0)
    for index in values.indices {
      var time = values[index].time + shift
      while index > 0, !isFine(time - last) { (time, shift) = (time + 10, shift + 10) }
      script.values[index].time = time
      last = time
    }
    script.end += shift
    return script
  }

  /// The same without its end.
  public var withoutEnd: Script { Script(values) }

  /// What a subscriber gets that leaves at a moment.
  public func until(_ moment: Int) -> Script {
    let early = with(values.filter { $0.time <= moment })
    return isOver(at: moment) ? early : early.withoutEnd
  }

  /// Whether it's over at a moment, or before.
  func isOver(at time: Int) -> Bool { ending != .none && end <= time }
}

extension Script where Value: Equatable {
  /// The script without values that are the same as the one before.
  public var withoutRepeats: Script {
    var last: Value?
    return filter { value in
      defer { last = value }
      return value != last
    }
  }
}

/// A generator of random numbers that gives the same ones in each run.
///
/// Source: SplitMix64, by Steele, Lea and Flood (2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
