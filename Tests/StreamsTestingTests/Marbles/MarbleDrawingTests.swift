import StreamsTesting
import TestSupport
import Testing

private typealias Placed = MarbleString.Placed

/// The drawing of a string, which reads the same.
private func redraw(_ text: String, frame: VirtualTime.Interval = .milliseconds(1)) throws -> String
{
  try MarbleString(parsing: text, frame: frame).text(frame: frame)
}

struct MarbleDrawingTests {
  @Test(
    arguments: [
      "", "a", "-a-b|", "^---!", "(ab|)", "-(ab)c", "a 11ms b", "1500ms a 500us #",
      "(ab) @1ms c", "a @500us b", "@-5ms a----b", "@-1us a @0ms b", "1 s", "1 2 ms", "(1 s)",
      "1 .5 s-1",
    ])
  func drawsWhatItReads(marbles: String) throws {
    #expect(try redraw(marbles) == marbles)
  }

  @Test func drawsShortGapsAsDashesAndOthersAsTimes() throws {
    #expect(try redraw("a 10ms b") == "a----------b")
    #expect(try redraw("a-----------b") == "a 11ms b")
    #expect(try redraw("a 1ms 2us b") == "a 1002us b")
  }

  @Test func drawsWithAnotherFrame() throws {
    let marbles = try MarbleString(parsing: "-a---b|")
    #expect(marbles.text(frame: .microseconds(500)) == "--a-------b-|")
    #expect(marbles.text(frame: .milliseconds(2)) == "1ms a-b @6ms |")
  }

  @Test func sortsByTimeAndKeepsTheOrderOfAnInstant() {
    let marbles = MarbleString([
      Placed(.value("c"), at: .milliseconds(9)), Placed(.value("b"), at: .milliseconds(2)),
      Placed(.value("a"), at: .milliseconds(2)),
    ])
    #expect(marbles.symbols == (try? MarbleString(parsing: "--(ba)---c"))?.symbols)
    #expect(marbles.text() == "--(ba)---c")
  }

  /// Random times at and between frames, with several symbols at an instant, and letters that look
  /// like times.
  @Test(arguments: 0..<300)
  func readsWhatItDraws(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let frames: [Int] = [1, 7, 1_000, 500_000, 1_000_000, 60_000_000_000]
    let frame = VirtualTime.Interval.nanoseconds(frames.randomElement(using: &random)!)
    let letters = Array("ab01259.numsé👍🏽\"\\")
    let symbols: [MarbleString.Symbol] = [.finished, .failure, .subscription, .cancelled]
    var time = VirtualTime(nanoseconds: Int64.random(in: -2_000_000...2_000_000, using: &random))
    var placed: [Placed] = []
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: break
      case 2: time = time.advanced(by: frame)
      case 3: time = time.advanced(by: .nanoseconds(Int.random(in: 1...9, using: &random)))
      case 4: time = time.advanced(by: .microseconds(Int.random(in: 1...9_000, using: &random)))
      default:
        let count = Int.random(in: 0...30, using: &random)
        for _ in 0..<count { time = time.advanced(by: frame) }
      }
      let symbol =
        Bool.random(using: &random)
        ? .value(letters.randomElement(using: &random)!) : symbols.randomElement(using: &random)!
      placed.append(Placed(symbol, at: time))
    }
    let text = MarbleString(placed).text(frame: frame)
    #expect(try MarbleString(parsing: text, frame: frame).symbols == placed, "\(text)")
  }
}
