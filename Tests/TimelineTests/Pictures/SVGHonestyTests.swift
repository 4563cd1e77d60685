import Foundation
import Testing

@testable import Timeline
@testable import TimelinePictures

/// What every picture has to keep to, so that a reader believes only what happened. The pictures of
/// the pages are read from their files.
struct SVGHonestyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The pictures of all pages, without those that show which object keeps which.
  private static let files: [String] = {
    let folder = root.appending(path: "docs/pictures").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".svg") && !$0.hasSuffix("-keepers.svg") }.sorted()
  }()

  @Test func aPictureOfAPageIsHonest() throws {
    var count = 0
    for file in Self.files {
      let path = Self.root.appending(path: "docs/pictures/\(file)")
      let svg = try String(contentsOf: path, encoding: .utf8)
      // TimeStripsPictureTests reads those of times, which have no instants.
      if svg.contains("<g id=\"strip1\">") { continue }
      count += 1
      expectHonest(svg, Comment(rawValue: file))
    }
    #expect(count > 100)
  }

  @Test(arguments: 0..<60)
  func aPictureOfAnyRecordingIsHonest(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for run in [random.next(), random.nextUnruly()] {
      for style in Timeline.PictureStyle.allCases {
        for part in [nil] + run.parts.indices.map(Optional.some) {
          expectHonest(run.svg(part: part, title: "A run", style: style), "\(seed)")
        }
      }
    }
  }

  private func expectHonest(_ svg: String, _ name: Comment) {
    let picture = PictureReader(svg)
    #expect(picture.error == nil, name)
    expectSignsAtTheirInstants(picture, name)
    expectAnExactKey(picture, name)
  }

  private func expectSignsAtTheirInstants(_ picture: PictureReader, _ name: Comment) {
    let instants = picture.instants
    func isAtInstant(_ x: Double, _ y: Double) -> Bool {
      instants.contains { $0.x == x && $0.top <= y && y <= $0.bottom }
    }
    // How far each sign begins to the left of its middle.
    for (sign, offset) in ["u": 0, "e": 0, "x": 6, "c": 5.5, "Z": 5] {
      for start in picture.paths(sign).filter({ sign != "Z" || $0.contains("q") }).flatMap(
        PictureReader.starts)
      {
        #expect(isAtInstant(start.x + offset, start.y), "\(name): a sign stands at no instant")
      }
    }
    for line in picture.paths("l").flatMap(PictureReader.verticals) {
      #expect(isAtInstant(line.x, line.top), "\(name): a line climbs between two instants")
    }
    for arrow in picture.paths("o", "a1", "a2", "a3", "a4", "a5", "a6")
      .flatMap(PictureReader.verticals) where arrow.top < arrow.bottom
    {
      let isInside = instants.contains {
        $0.left <= arrow.x && arrow.x <= $0.x && $0.top <= arrow.bottom && arrow.top <= $0.bottom
      }
      #expect(isInside, "\(name): an arrow goes up or down next to its instant")
    }
  }

  /// Signs that stand for themselves: the card, its lines, words with their boxes, and the bars of
  /// threads, which have a name.
  private static let furniture: Set = [
    "g", "h", "i", "j", "k", "l", "m", "n", "s", "t", "f", "y", "z", "p", "w", "i0", "C",
  ]

  /// The words of the key for the other classes.
  private static let words = [
    "us": "subscribed", "ur": "sent", "D": "on its way", "d": "demand", "B": "delivered",
    "r": "dropped", "Z": "a value ends here", "e": "finished", "x": "failed", "c": "cancelled",
    "o": "made it happen",
    "K": "timer", "W": "waits", "H": "stopped", "b": "one moment",
    "N": "not to scale", "X": "time cut out",
  ]

  private func expectAnExactKey(_ picture: PictureReader, _ name: Comment) {
    var expected: Set<String> = []
    let drawn = Set(picture.elements.filter { !$0.isKey }.flatMap(\.classes))
    for sign in drawn.subtracting(Self.furniture) {
      switch sign.first {
      // Each sign of these has a class of its own, too.
      case "u" where sign == "u": break
      case "q": break
      case "v": expected.insert("which value")
      case "a": expected.insert("made of it")
      default:
        let word = Self.words[sign]
        #expect(word != nil, "\(name): the key can't explain the class \(sign)")
        expected.insert(word ?? "")
      }
    }
    let key = picture.elements.filter(\.isKey)
    let words = picture.key.flatMap { $0.components(separatedBy: ", ") }
    #expect(Set(words) == expected && words.count == expected.count, name)
    // A sample looks like the signs.
    #expect(Set(key.flatMap(\.classes)).subtracting(Self.furniture).isSubset(of: drawn), name)
  }
}
