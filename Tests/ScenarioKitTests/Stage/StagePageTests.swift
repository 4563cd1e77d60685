import Foundation
import TestSupport
import Testing
import Timeline
import VirtualTime

@testable import ScenarioKit

/// The page of `--player`: all runs in one file.
@Suite struct StagePageTests {
  private func table(_ text: String, filePath: String = "/missing/main.swift") -> StageTable {
    let scenario = Scenario(
      "a-b", "Show <this> & that.", filePath: filePath, fileID: "a_b/main.swift")
    let timeline = Timeline(now: { .microseconds(1500) })
    timeline.record(.printed(text), in: .console)
    return StageTable.record(
      .init(title: "Part", events: timeline.recording.events), .init(),
      line: .init(fileID: "a_b/main.swift", line: 1), of: scenario)
  }

  /// A page about one printed text.
  private func page(_ text: String, filePath: String = "/missing/main.swift") throws -> String {
    try StagePage(title: "a-b", table(text, filePath: filePath)).html()
  }

  @Test func aTextOfTheRunCannotEndItsElement() throws {
    let page = try page("</script><script>alert(1)</script>")
    #expect(page.contains(#""text":"\u003c/script>\u003cscript>alert(1)\u003c/script>""#))
    #expect(page.ranges(of: "</script>").count == 2)
  }

  @Test func aTextOfTheRunIsNotTakenForAPlaceInThePage() throws {
    let page = try page("{{model.js}}")
    #expect(page.contains(#""text":"{{model.js}}""#))
  }

  @Test func everyPlaceInThePageIsFilled() throws {
    let page = try page("a")
    #expect(!page.contains("{{"))
    #expect(page.contains("<title>a-b, step by step</title>"))
    #expect(page.contains(#""summary":"Show \u003cthis> & that.""#))
  }

  @Test func aPageNeedsNoOtherFile() throws {
    let page = try page("a")
    // A page may refer to a place in itself.
    for link in ["<link", "src=", "@import", "url(http", "url(.", "fetch(", "https://"] {
      #expect(!page.contains(link), "\(link)")
    }
  }

  @Test func aPageNeedsItsFiles() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StagePage.MissingFile.self) {
      try StagePage(title: "a-b", table("a"), folder: folder.url).html()
    }
    let missing = folder.url.appendingPathComponent("page.html").path
    #expect(
      error?.description
        == "can't read \(missing), a part of the page: run the scenario with swift run, in the folder "
        + "where it was built")
  }

  @Test func aPageLeavesOutWhatOnlyPeopleNeed() throws {
    let folder = try TemporaryFolder()
    try folder.write("<p>  {{a.css}}{{b.js}}</p>\n", to: "page.html")
    try folder.write("/* A note. */\n* {\n  top: 0;\n}\n", to: "a.css")
    try folder.write(
      "/** A note,\n * in two lines. */\n// One.\n\nif (a) {\n  b(); // two\n}\n", to: "b.js")
    let page = try StagePage(title: "a-b", table("a"), folder: folder.url).html()
    #expect(page == "<p>  * {\ntop: 0;\n}\nif (a) {\nb(); // two\n}\n</p>\n")
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
}
