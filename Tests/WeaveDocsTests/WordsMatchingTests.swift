import Testing

@testable import weave_docs

/// Which words of a text a phrase matches.
struct WordsMatchingTests {
  private let anew = ": \"anew\": write \"again\", \"once more\""
  private let place = ": \"in place of\": say it, plainly"

  @Test(arguments: [
    ("anew", true), ("ANEW!", true), ("(Anew)", true), ("**anew**", true), ("anew's", true),
    ("half-anew", true), ("é anew", true), ("<b>anew</b>", true), ("*anew*", true),
    ("renew", false), ("anewer", false), ("an ew", false), ("éanew", false), ("anewé", false),
    ("`anew`", false), ("`` a`anew ``", false), ("\"anew\"", false), ("“quite anew”", false),
    ("\"a\" anew \"b\"", true), ("a \" anew", true), ("a ` anew", true), ("“a anew", true),
    ("https://example.com/anew", false), ("<https://example.com/anew>", false),
    ("[text](anew.md)", false), ("[anew](text.md)", true), ("<a href=\"anew\">b</a>", false),
    ("a < anew", true), ("\\`anew\\`", true), ("→ anew", true), ("anew…", true),
  ])
  func `a word is found where it stands alone, outside code and quotations`(
    text: String, isFound: Bool
  ) {
    #expect(WordsFixture.findings(page: text) == (isFound ? ["docs/a.md:1\(anew)"] : []))
  }

  @Test(arguments: [
    ("in place of", [1]), ("In  Place\nof", [1]), ("x\nin\nplace\nof", [2]),
    ("in **place** of", [1]), ("in [place](a.md) of", [1]), ("in [place\nof](a.md)", [1]),
    ("in place, of", []), ("in-place of", []), ("in place\n\nof", []), ("in `x` place of", []),
    ("in \"place\" of", []), ("in place. Of", []), ("in place", []),
    ("in place in place of", [1]),
  ])
  func `a phrase goes across spaces and lines, not across punctuation`(
    text: String, lines: [Int]
  ) {
    #expect(WordsFixture.findings(page: text) == lines.map { "docs/a.md:\($0)\(place)" })
  }

  @Test(arguments: [
    ("time-out", ["\"time-out\": write \"timeout, as one word\""]), ("time out", []),
    ("timeout", []),
    ("back pressure", ["\"back pressure\": write \"URL\", and so on"]), ("back-pressure", []),
    ("Url", ["\"Url\": write \"URL\", and so on"]), ("URL url", []),
    (
      "RunLoop",
      [
        "\"runloop\": write \"run loop\""
      ]
    ),
  ])
  func `hyphens count, and so do the capitals of a term`(text: String, expected: [String]) {
    #expect(WordsFixture.findings(page: text) == expected.map { "docs/a.md:1: \($0)" })
  }

  @Test(arguments: [
    ("it is no URL", true), ("there is no URL", false), ("There\nis no URL", false),
    ("it is no longer", false), ("there it is no URL", true),
  ])
  func `phrases that the advice quotes are fine`(text: String, isFound: Bool) {
    let finding =
      "docs/a.md:1: \"is no\": write \"isn't a\"; \"there is no\" and \"is no longer\" are fine"
    #expect(WordsFixture.findings(page: text) == (isFound ? [finding] : []))
  }
}
