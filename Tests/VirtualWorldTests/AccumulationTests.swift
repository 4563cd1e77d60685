import StreamsTesting
import TestSupport
import Testing
import Timeline

/// The record knows which values the results of `scan` and `reduce` hold.
@Suite(.world) struct AccumulationTests {
  private let world: World

  init() throws { world = try World.current }

  /// Runs a publisher. For each value of the lane `out`, returns the values that it's made of.
  private func origins(of publisher: some Publisher<some Any, Never>) -> [String] {
    _ = world.origins(of: publisher)
    return world.outcomes.map { $0.madeOf.map(\.text).joined(separator: " ") }
  }

  /// Values in a lane, one in each hundred milliseconds.
  private func source<Value>(_ name: String, _ values: Value...) -> some Publisher<Value, Never> {
    values.publisher.flatMap(maxPublishers: .max(1)) { [world] in
      Just($0).delay(for: .milliseconds(100), scheduler: world.clock)
    }
    .lane(name)
  }

  // MARK: Totals

  @Test func aSumIsMadeOfAllValues() {
    #expect(origins(of: source("in", 5, -5, 5).scan(0, +)) == ["5", "5 -5", "5 -5 5"])
  }

  @Test func aTotalNextToACopyIsMadeOfAllValues() {
    let counted = source("in", "a", "b", "c").scan((count: 0, last: "")) { ($0.count + 1, $1) }
    #expect(origins(of: counted) == ["a", "a b", "a b c"])
  }

  @Test func aCoincidenceDoesNotLast() {
    let sums = source("in", 5, -5, 5, 1).scan((sum: 0, last: 0)) { ($0.sum + $1, $1) }
    #expect(origins(of: sums) == ["5", "5 -5", "5", "5 -5 5 1"])
  }

  @Test func aReducedTotalIsMadeOfAllValues() {
    #expect(origins(of: source("in", 1, 2, 3).reduce(0, +)) == ["1 2 3"])
  }

  @Test func flagsAloneAreATotal() {
    let signs = source("in", 1, -1, 1).reduce((hasPlus: false, hasMinus: false)) {
      ($0.hasPlus || $1 > 0, $0.hasMinus || $1 < 0)
    }
    #expect(origins(of: signs) == ["1 -1 1"])
  }

  // MARK: Copies

  @Test func neighboursAreMadeOfTwoValues() {
    let pairs = source("in", "a", "b", "b", "b", "c").pairs()
    #expect(origins(of: pairs) == ["a", "a b", "b b", "b b", "b c"])
  }

  @Test func flagsCanBeNeighboursToo() {
    let pairs = source("in", true, true, false).pairs()
    #expect(origins(of: pairs) == ["true", "true true", "true false"])
  }

  @Test func aWindowIsMadeOfItsElements() {
    let windows = source("in", 1, 1, 2, 1).scan([Int]()) { ($0 + [$1]).suffix(2) }
    #expect(origins(of: windows) == ["1", "1 1", "1 2", "2 1"])
  }

  @Test func reducedExtremesAreMadeOfTwoValues() {
    let extremes = source("in", 3, 9, 4, 1, 5).reduce((min: Int.max, max: Int.min)) {
      (min($0.min, $1), max($0.max, $1))
    }
    #expect(origins(of: extremes) == ["9 1"])
  }

  /// The price that a tap takes is the latest, although both have a currency and no note.
  @Test func wrappedValuesAreRecognised() {
    struct Amount { var cents: Int; var currency = "EUR"; var note: String? }
    enum Signal { case tap(Amount), price(Amount) }
    let taps = source("taps", 1, 2, 2).map { Signal.tap(Amount(cents: $0)) }
    let prices = source("prices", 10, 20).map { Signal.price(Amount(cents: $0)) }
    let pairs = prices.merge(with: taps).scan(
      (price: Amount?.none, pair: (Amount, Amount)?.none)
    ) { state, signal in
      switch signal {
      case .price(let price): (price, nil)
      case .tap(let tap): (state.price, state.price.map { (tap, $0) })
      }
    }
    .compactMap(\.pair)
    #expect(origins(of: pairs) == ["10 1", "20 2", "20 2"])
  }

  @Test func aFlagThatIsNoCopyIsMadeOfNothing() {
    struct Screen {
      var isFresh = false
      var text: String?
    }
    let screens = source("in", "old", "new").scan(Screen()) { (screen, text: String) in
      Screen(isFresh: screen.text != nil, text: text)
    }
    #expect(origins(of: screens) == ["old", "new"])
  }

  // MARK: Limits

  @Test func ofManyPartsAllValuesCount() throws {
    let lists = (1...60).publisher.lane("in").scan([Int]()) { ($0 + [$1]).suffix(55) }
    #expect(origins(of: lists).last?.split(separator: " ").count == 60)
  }

  @Test func anObjectOfAnInputIsRecognised() {
    final class Note {}
    let pairs = source("in", "a", "b", "c").map { _ in Note() }.pairs()
    #expect(origins(of: pairs) == ["a", "a b", "b c"])
  }

  @Test func anObjectThatCollectsIsMadeOfAllValues() {
    final class Notes { var texts: [String] = [] }
    let notes = source("in", "a", "b", "c").scan((notes: Notes(), last: "")) { state, text in
      state.notes.texts.append(text)
      return (state.notes, text)
    }
    #expect(origins(of: notes) == ["a", "a b", "a b c"])
  }

  /// What can't be recognised without the program's code counts as a total.
  @Test func noCodeOfTheProgramRuns() {
    let pairs = source("in", 1, 2, 3).map { Watched(number: $0) }
      .scan((Watched?.none, Watched?.none, Mode.calm)) { ($0.1, $1, .calm) }
      .map { _ in "pair" }
    #expect(origins(of: pairs) == ["1", "1 2", "1 2 3"])
    #expect(Watched.calls.withLock { $0 } == [])
  }
}

extension Publisher {
  /// Each value with the one before.
  fileprivate func pairs() -> some Publisher<(Output?, Output?), Failure> {
    scan((nil, nil)) { ($0.1, $1) }
  }
}

/// A value that notes when its code runs.
private struct Watched: Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  static let calls = Locked<[String]>([])
  let number: Int

  private static func note(_ call: String) { calls.withLock { $0.append(call) } }

  static func == (lhs: Self, rhs: Self) -> Bool {
    note("==")
    return lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) { Self.note("hash") }

  var description: String {
    Self.note("description")
    return "\(number)"
  }

  var debugDescription: String { description }

  var customMirror: Mirror {
    Self.note("customMirror")
    return Mirror(self, children: ["number": number])
  }
}

private enum Mode: CustomStringConvertible {
  case calm

  var description: String {
    _ = Watched(number: 0).description
    return "calm"
  }
}
