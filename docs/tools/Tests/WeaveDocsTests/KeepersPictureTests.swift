import Testing
import Timeline
import VirtualTime

@testable import weave_docs

/// The pictures that show which object keeps which, made from printed lines.
struct KeepersPictureTests {
  private static func part(_ lines: [String]) -> Timeline.Recording.Part {
    Timeline.Recording.Part(
      title: "A & B",
      events: lines.enumerated().map { index, line in
        Timeline.Event(
          number: index + 2, time: VirtualTime(nanoseconds: Int64(index + 1) * 1_000_000), place: 1,
          lane: .console, kind: .printed(line))
      })
  }

  private func svg(_ lines: String...) throws -> String {
    try #require(KeepersPicture(Self.part(lines.map { "who keeps whom: \($0)" }))).svg(title: "a<b")
  }

  @Test func `a part without such lines has no picture`() {
    #expect(KeepersPicture(Self.part(["a → b", "who keeps whom: nothing is left"])) == nil)
  }

  @Test func `each moment has a row with all boxes, and an arrow for each reference`() throws {
    let picture = try svg("window → view", "nothing is left")
    #expect(picture.matches(of: /class="p"/).count == 2)
    // One of each is in the key.
    #expect(picture.matches(of: /class="p x"/).count == 3)
    #expect(picture.matches(of: /class="a"/).count == 2)
    #expect(picture.contains(#"<path class="a" d="M128 52H155"/>"#))
    #expect(
      picture.contains("<desc id=\"d\">At 1ms: window → view. At 2ms: nothing is left.</desc>"))
    #expect(picture.contains("<title id=\"t\">a&lt;b</title>"))
  }

  @Test func `the title and the signs in use are in the picture`() throws {
    let words = try [svg("window → view"), svg("window → view", "view")].map { picture in
      picture.matches(of: /<text class="(?:t f|s)" [^>]*>([^<]*)</).map { String($0.1) }
    }
    #expect(words == [["a&lt;b", "1ms", "keeps"], ["a&lt;b", "1ms", "2ms", "keeps", "released"]])
  }

  @Test func `a name that comes again closes a cycle with an arrow below the boxes`() throws {
    let picture = try svg("window → view → set → view", "view → set → view")
    #expect(picture.matches(of: /class="a"/).count == 6)
    #expect(picture.matches(of: /class="p x"/).count == 2)
    #expect(picture.contains(#"<path class="a" d="M264 66v8q0 7 -7 7H193q-7 0 -7 -7v-1"/>"#))
  }

  @Test func `the lines have this picture, so the part's own picture leaves them out`() {
    let snapshots = "Tests/ScenarioTests/Snapshots/load-page"
    let value = Timeline.Event(
      number: 1, time: .zero, place: 1, lane: .operator("map"), kind: .value("1"))
    var part = Self.part(["a line", "who keeps whom: window → view"])
    part.events.insert(value, at: 0)
    let tree = Fixture.tree([
      "\(snapshots)/trace.txt": Timeline.Recording(parts: [part]).trace(),
      "docs/scenarios/load-page.md": """
      # Load a page

      <picture><img src="../pictures/load-page/a-b.svg"></picture>

      <picture><img src="../pictures/load-page/a-b-keepers.svg"></picture>

      """,
    ])
    _ = WeaveCommand.run([], in: tree)
    let folder = "docs/pictures/load-page"
    #expect(tree.files["\(folder)/a-b.svg"]?.contains("a line") == true)
    #expect(tree.files["\(folder)/a-b.svg"]?.contains("window") == false)
    #expect(tree.files["\(folder)/a-b-keepers.svg"]?.contains("window") == true)
    #expect(
      tree.files["docs/scenarios/load-page.md"]?.contains(
        "alt=\"A &amp; B: who keeps whom. At 2ms: window → view.\"") == true)
  }
}
