import TestSupport
import Testing
import Timeline
import VirtualTime

@testable import ScenarioKit

@Suite struct PlayerPageTests {
  /// A page about one printed text.
  private func page(_ text: String, filePath: String = "/missing/main.swift") throws -> String {
    let scenario = Scenario(
      "a-b", "Show <this> & that.", filePath: filePath, fileID: "a_b/main.swift")
    let timeline = Timeline(now: { .microseconds(1500) })
    timeline.record(.printed(text), in: .console)
    let part = Player.Part(
      recording: .init(title: "Part", events: timeline.recording.events), waiting: .init(),
      line: .init(fileID: "a_b/main.swift", line: 1))
    let run = Player.Run(flags: [], parts: [part])
    return try PlayerPage(PlayerData(Player(scenario: scenario, runs: [run]))).html()
  }

  @Test func aTextOfTheRunCannotEndItsElement() throws {
    let page = try page("</script><script>alert(1)</script>")
    #expect(page.contains(#""text":"\u003c/script>\u003cscript>alert(1)\u003c/script>""#))
    #expect(page.ranges(of: "</script>").count == 2)
  }

  @Test func aTextOfTheRunIsNotTakenForAPlaceInThePage() throws {
    let page = try page("{{script}}")
    #expect(page.contains(#""text":"{{script}}""#))
  }

  @Test func everyPlaceInThePageIsFilled() throws {
    let page = try page("a")
    #expect(!page.contains("{{"))
    #expect(page.contains("<title>a-b, step by step</title>"))
    #expect(page.contains(#""summary":"Show \u003cthis> & that.""#))
    #expect(page.contains(#""time":"1.5 ms""#))
  }

  @Test func aPageNeedsNoOtherFile() throws {
    let page = try page("a")
    for link in ["<link", "src=", "@import", "url(", "fetch(", "https://"] {
      #expect(!page.contains(link), "\(link)")
    }
  }

  @Test func aPageNeedsItsFiles() throws {
    let folder = try TemporaryFolder()
    let scenario = Scenario("a-b", "Show this.", filePath: "/missing", fileID: "a_b/main.swift")
    let data = PlayerData(Player(scenario: scenario, runs: []))
    let error = #expect(throws: PlayerPage.MissingFile.self) {
      try PlayerPage(data, folder: folder.url).html()
    }
    let missing = folder.url.appendingPathComponent("style.css").path
    #expect(
      error?.description
        == "can't read \(missing), a part of the player's page: run the scenario with swift run, "
        + "in the folder where it was built")
  }

  @Test func aPageWithoutSourcesSaysSo() throws {
    #expect(try page("a").contains(#""files":[]"#))
  }

  @Test func aPageHasTheSourcesOfItsEvents() throws {
    let folder = try TemporaryFolder()
    try folder.write("one()\ntwo()\n", to: "main.swift")
    let page = try page("a", filePath: folder.url.appendingPathComponent("main.swift").path)
    #expect(page.contains(#""files":[{"lines":[[1,"one()"],[2,"two()"]],"name":"main.swift"}]"#))
    #expect(
      page.contains(
        #""file":0,"kept":[],"keptLeftOut":0,"kind":"printed","lane":"console","line":1,"#))
  }

  /// The page opens on the first part with a value or a response, or else on the first one.
  @Test(
    arguments: [
      ([.printed("a")], 0), ([.printed("a"), .value("b"), .value("c")], 1),
      ([.subscription, .network(.response(status: 200))], 1), ([], 0),
    ] as [([Timeline.Event.Kind], Int)])
  func aPageOpensOnAPartThatBringsSomething(kinds: [Timeline.Event.Kind], opening: Int) {
    let parts = kinds.map { kind in
      let timeline = Timeline(now: { .zero })
      timeline.record(kind, in: "lane")
      return Player.Part(
        recording: .init(title: "Part", events: timeline.recording.events), waiting: .init(),
        line: .init(fileID: "a_b/main.swift", line: 1))
    }
    let player = Player(
      scenario: Scenario("a-b", "A page."),
      runs: parts.isEmpty ? [] : [Player.Run(flags: [], parts: parts)])
    #expect(PlayerData(player).opening == opening)
  }

  /// The first endings that fit are there, and the page says how many aren't.
  @Test func aPageHasRoomForSomeEndings() {
    func recording(_ text: String) -> Timeline.Recording.Part {
      let timeline = Timeline(now: { .zero })
      timeline.record(.note(text), in: "lane")
      return .init(title: "Part", events: timeline.recording.events)
    }
    let endings = [10, 200_000, 10].enumerated().map { index, length in
      Player.Ending(
        reason: "ending \(index)", recording: recording(String(repeating: "a", count: length)),
        waiting: .init())
    }
    let part = Player.Part(
      recording: recording("usual"), waiting: .init(),
      line: .init(fileID: "a_b/main.swift", line: 1), endings: endings)
    let player = Player(
      scenario: Scenario("a-b", "A page."), runs: [Player.Run(flags: [], parts: [part])])
    let shown = PlayerData(player).runs[0].parts[0]
    #expect(shown.endings.map(\.title) == ["ending 0"])
    #expect(shown.endingsLeftOut == 2)
    #expect(PlayerData(player).json.utf8.count < 420_000)
  }
}
