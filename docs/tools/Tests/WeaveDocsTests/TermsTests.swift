import Testing

@testable import weave_docs

struct TermsTests {
  private let glossary = """
    # Glossary

    ## Completion

    <!-- not: completion handler, completion block -->
    The end of a [stream](#stream). → [load-page](scenarios/load-page.md)

    ## Failure type

    The errors that can end a stream. → [share-load](scenarios/share-load.md#types)

    ## Stream

    Values over time. → [guide](guide.md), [load-page](scenarios/load-page.md#streams)

    """

  private func problems(_ text: String, on name: String = "decode-user") -> [String] {
    let pages = ["glossary": glossary, "scenarios/\(name)": text].map { name, text in
      let lines = text.lines.enumerated().map { WovenLine(text: $1, origin: $0 + 1) }
      return WovenPage(path: "docs/\(name).md", oldText: text, lines: lines)
    }
    return Terms.problems(in: pages).map(\.description)
  }

  @Test func `the first use of a term is a link`() {
    #expect(
      problems("# A stream\n\nTwo lines about\nstreams, and a stream.\n") == [
        "docs/scenarios/decode-user.md:4: the page uses \"streams\" here first: link it, as in"
          + " [streams](../glossary.md#stream)"
      ])
    #expect(problems("A stream. A [stream](../glossary.md#stream).").count == 1)
    #expect(problems("A [stream](../glossary.md#stream). A stream.") == [])
    #expect(problems("A [stream](../glossary.md#completion).") == [])
    #expect(problems("A [stream](../glossary.md#completion). A stream.").count == 1)
  }

  @Test func `a link to a page that teaches the term will do`() {
    #expect(problems("A [Stream](../guide.md#top), and streams.") == [])
    #expect(problems("Any [kind of stream](load-page.md) or stream.") == [])
    #expect(problems("An [`any` stream](share-load.md), and a stream.").count == 1)
  }

  @Test func `a term may have two words, in two lines`() {
    #expect(
      problems("Its Failure\ntypes differ.") == [
        "docs/scenarios/decode-user.md:1: the page uses \"failure types\" here first: link it, as in"
          + " [failure types](../glossary.md#failure-type)"
      ])
    #expect(problems("Its failure\n\ntype. Failure `type` type.") == [])
  }

  @Test(arguments: [
    "`stream`, upstream, stream-like", "```text\na stream\n```",
    "<details><summary>A stream</summary>\n\nA stream.\n\n</details>",
    "## Answers\n\nA stream.", "It calls the completion handler. Two completion\nblocks.",
  ])
  func `a term in code, a fold, an answer or an exception needs no link`(text: String) {
    #expect(problems(text) == [])
  }

  @Test func `a page that teaches the term needs no link, nor does one that comes after it`() {
    #expect(problems("A stream, and its completion.", on: "load-page") == [])
    #expect(problems("A failure type.", on: "load-page").count == 1)
    #expect(problems("Before this: [load-page](load-page.md).\n\nA stream.") == [])
    #expect(problems("After this: [load-page](load-page.md).\n\nA stream.").count == 1)
  }

  @Test func `what a block writes needs no link`() {
    let lines = ["```swift main.swift", "```", "", "1. A stream.", "A stream."]
    let woven = zip(lines, [1, 1, 1, 1, 2]).map(WovenLine.init)
    let page = WovenPage(path: "docs/scenarios/load-page.md", oldText: "", lines: woven)
    #expect(Prose.words(of: page).map(\.text) == ["a", "stream", ""])
    #expect(Prose.words(of: page).first?.line == 2)
  }
}
