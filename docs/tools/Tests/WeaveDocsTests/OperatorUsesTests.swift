import Testing

@testable import weave_docs

struct OperatorUsesTests {
  private func uses(_ code: String, titles: [String]) -> [String] {
    let tree = Fixture.tree(["Scenarios/load-page/main.swift": code])
    var problems: [Problem] = []
    let catalogue = ScenarioCatalogue(tree, problems: &problems)
    let files = titles.map { title in
      ("docs/operators/\(OperatorPage.slug(of: title)).md", "# \(title)\n")
    }
    let pages = MemoryTree(Dictionary(uniqueKeysWithValues: files))
    let uses = OperatorUses(tree, catalogue: catalogue, operators: Operators(pages))
    return uses.pages(for: catalogue.scenarios[0]).flatMap(\.titles)
  }

  @Test func `a name of arrays counts where it begins a line`() {
    #expect(uses("let a = [1].map { $0 }\n", titles: ["map"]) == [])
    #expect(uses("prices\n  .map { $0 }\n", titles: ["map"]) == ["map"])
    #expect(uses("prices\n  .map(addShipping)\n", titles: ["map"]) == ["map"])
    #expect(uses("prices\n  // .map(addShipping)\n", titles: ["map"]) == [])
  }

  @Test func `other names count everywhere`() {
    #expect(
      uses("a.combineLatest(b) { $0 }\n", titles: ["combineLatest", "zip"]) == ["combineLatest"])
  }

  @Test func `a label belongs to the name`() {
    let titles = ["receive(on:)", "subscribe(_:)", "subscribe(on:)"]
    #expect(uses("a\n  .receive(on: queue)\n", titles: titles) == ["receive(on:)"])
    #expect(uses("a\n  .receive(subscriber: b)\n", titles: titles) == [])
    #expect(uses("a\n  .subscribe(b)\n", titles: titles) == ["subscribe(_:)"])
  }

  @Test func `a type counts where it's made`() {
    let titles = ["Just", "PassthroughSubject"]
    #expect(
      uses("let a = PassthroughSubject<Int, Never>()\n", titles: titles) == ["PassthroughSubject"])
    #expect(uses("/// Just (a comment)\n", titles: titles) == [])
  }
}
