import ServerTestSupport
import Testing

/// Tables that programs write into pages.
@Suite struct PageTableTests {
  @Test func aTableIsMarkdown() {
    let table = PageTable(
      [.left("Server"), .right("Count")], rows: [["a | b", "1"], ["two\nlines", ""]])
    #expect(
      table.lines == [
        "| Server | Count |", "| --- | ---: |", "| a \\| b | 1 |", "| two lines |  |",
      ])
  }

  @Test func aBlockIsReplacedAndTheRestOfThePageStays() throws {
    let page = "# Page\n\n<!-- results -->\nold\n\nolder\n<!-- /results -->\n\nEnd\n"
    let new = "# Page\n\n<!-- results -->\n\nnew\n\n<!-- /results -->\n\nEnd\n"
    #expect(try PageBlock("results").replacing(in: page, with: ["new"]) == new)
    // A second time, nothing changes.
    #expect(try PageBlock("results").replacing(in: new, with: ["new"]) == new)
  }

  @Test(arguments: [
    "# Page\n",
    "<!-- results -->\n",
    "<!-- /results -->\n<!-- results -->\n",
    "<!-- results -->\n<!-- results -->\n<!-- /results -->\n",
    "text <!-- results -->\n<!-- /results -->\n",
  ])
  func aPageWithoutABlockIsAnError(_ page: String) {
    #expect {
      try PageBlock("results").replacing(in: page, with: ["new"])
    } throws: {
      "\($0)" == "the page needs the lines <!-- results --> and <!-- /results -->, each once, in "
        + "this order"
    }
  }
}
