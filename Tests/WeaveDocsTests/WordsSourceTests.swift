import Testing

@testable import weave_docs

/// Which parts of sources, scripts and help texts are read.
struct WordsSourceTests {
  private let place = ": \"in place of\": say it, plainly"

  private func lines(_ path: String, _ text: String) -> [Int] {
    let findings = WordsFixture.findings([path: text])
    let parts = findings.map { $0.split(separator: ":", maxSplits: 2) }
    #expect(parts.allSatisfy { $0[0] == path && $0[2].dropFirst().hasPrefix("\"") })
    return parts.compactMap { Int($0[1]) }
  }

  @Test(arguments: [
    ("// anew", [1]), ("/// Anew.", [1]), ("//anew", [1]), ("let a = 1  // anew", [1]),
    ("/* anew */", [1]), ("/**\n * in\n * place of\n */ // anew", [2, 4]),
    ("/* /* a */ anew */", [1]), ("/* a */ anew", []), ("anew", []),
    ("/* a\nanew */ let anew = 1 // anew", [2]), ("a // in place\n// of", []),
    ("/// in place\n/// of", [1]), ("// in place\n\n// of", []), ("// in place\na // of", []),
    ("/// in place\n// of", []),
    ("// in place\nlet a = 1\n// of", []), ("  // in\n    // place of", [1]),
    ("/// in place\n///\n/// of", []), ("/// - in place\n/// - of", []),
    ("/// ```\n/// anew\n/// ```\n/// anew", [4]), ("/// a\n///\n///     anew\n/// anew", [4]),
    ("/// - Parameters:\n///   - a: In\n///     place of b", [2]),
    ("// region: anew\n// endregion: anew", []), ("// swift-format-ignore: anew", []),
    ("// in place\n// region: a\n// of", []), ("// MARK: Anew", [1]),
    ("// note: Anew.\n//  Anew.", [1, 2]), ("// a \"b\n\"anew\"", []),
    ("func `a \"b`() {} // anew", [1]), ("`// anew`()", []), ("let a = b /c // anew", [1]),
  ])
  func `comments are read`(source: String, expected: [Int]) {
    #expect(lines("Tests/a.swift", source) == expected)
  }

  @Test(arguments: [
    ("\"a anew\"", [1]), ("\"a\" + anew", []), ("\"a // anew\"", [1]),
    ("\"a\\\"b\" + \" anew\"", [1]),
    ("\"a \\\"anew\\\"\"", []), ("\"a \\\\\" // anew\n\"b anew\"", [1, 2]), ("\"anew\"", []),
    ("#\"a \"b\" anew\"#", [1]), ("#\"a \\\"#; anew; \"b anew\"", [1]),
    ("##\"a \"# anew\"## // anew", [1]), ("#\"\\(b) anew\"# // c", [1]),
    ("\"in \\(a) place of\"", []), ("\"in place \\(\"b\")of\"", []),
    ("\"a \\(b ? \"c anew\" : (\"d\")) e\" // f", [1]),
    ("\"a \\(\"b \\(\"c anew\")\") anew\"", [1]),
    ("#\"a \\#(\"b anew\") c\"#", [1]), ("#\"a \\#(b)anew\"#", [1]),
    ("\"\"\"\n  a \"b\" anew\n  \"\"\"", [2]), ("\"\"\"\n  in\n  place of\n  \"\"\"", [2]),
    ("\"\"\"\n  in place\n\n  of\n  \"\"\" // anew", [5]),
    ("\"\"\"\n  in \\\n  place of\n\"\"\"", [2]),
    ("\"\"\"\n  a\n  \\(\n  \"b anew\")\n  anew\n  \"\"\"\n  // anew", [4, 5, 7]),
    ("\"in place\\nof\"", [1]), ("\"a\\u{20}b anew\"", [1]),
    ("\"in place\"\n  + \" of\"", [1]), ("\"in place\", \" of\"", []),
    ("\"in place\" \" of\"", [1]),
    ("f(\"in place\") + \" of\"", []), ("\"a b\n// anew", [2]), ("\"a b\nanew", []),
    ("\"\\(f(\"a\") + \"b anew\")\"", [1]), ("\"in place\" + \" \\(\" of\")\"", []),
    ("#\"a \\\"#; anew", []), ("#\"it's 5\" anew\"#", [1]), ("#\"\"\"# // anew", [1]),
    ("\"\" // anew", [1]), ("\"\\u{anew} b\"", []),
    ("#if a // anew\n#endif", [1]),
    ("\"a What b. Who c is too long a sentence for it\"", []),
  ])
  func `strings are read for words`(source: String, expected: [Int]) {
    #expect(lines("Sources/a.swift", source) == expected)
    #expect(lines("Scenarios/server/Sources/a.swift", source) == expected)
  }

  @Test(arguments: ["Tests/a.swift", "Scenarios/server/Tests/a.swift", "Package.swift"])
  func `strings of tests are not`(path: String) {
    #expect(lines(path, "\"a anew\"\n// anew") == [2])
  }

  @Test func `sentences of comments are checked, but not of titles`() {
    #expect(
      WordsFixture.findings(
        source: """
          // MARK: What a b c d e f g h
          /// What it is.
          ///
          /// - Returns: What it is.
          /// - Parameter a: A b c d e f g h.
          // note: Who asks.
          // A b c d e
          // f g h i.
          """) == [
          "Sources/a.swift:2: a sentence that begins with \"What\": name it, or ask a question",
          "Sources/a.swift:4: a sentence that begins with \"What\": name it, or ask a question",
          "Sources/a.swift:6: a sentence that begins with \"Who\": name it, or ask a question",
          "Sources/a.swift:7: a sentence of 9 words: at most 8 (it begins \"A b c d …\")",
        ])
  }

  @Test(arguments: [
    ("#!/bin/anew\n# in\n# place of", [2]), ("a: b ## anew", [1]), ("a # in place\n# of", []),
    ("\t# anew", [1]), ("a \"# anew\" # anew", [1]), ("a ' # anew'", []), ("a \" # anew\"", []),
    ("${#anew}", []),
    ("# in place\n#\n# of", []), ("# in place\n\n# of", []), ("anew", []),
    ("# in place\na # of", []),
  ])
  func `comments of scripts are read`(script: String, expected: [Int]) {
    #expect(lines("Makefile", script) == expected)
    #expect(lines("Tests/a.sh", script) == expected)
  }

  @Test func `the prose of a help text is read`() {
    #expect(
      WordsFixture.findings([
        "Tests/ScenarioTests/Snapshots/a/help.txt": """
        Load it anew.

        usage: a anew
               a anew

          (nothing)  in place
          --a        of b, and anew
                     in place
                     of c
          --b        a b c d e
          --c        f g h i j

        What it is.
        Go in place  of it.
        More: docs/a.md
        """
      ]).map { String($0.dropFirst(41)) } == [
        "1: \"anew\": write \"again\", \"once more\"",
        "7: \"anew\": write \"again\", \"once more\"",
        "8: \"in place of\": say it, plainly",
        "13: a sentence that begins with \"What\": name it, or ask a question",
        "14: \"in place of\": say it, plainly",
      ])
  }
}
