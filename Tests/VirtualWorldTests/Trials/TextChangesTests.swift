import Testing

@testable import VirtualWorld

struct TextChangesTests {
  /// The pieces, with a mark before each line.
  private func pieces(_ old: String, _ new: String) -> [String] {
    TextChanges(from: old.map { "\($0)" }, to: new.map { "\($0)" }).pieces.map { piece in
      switch piece {
      case .row((.both, let line)): " \(line)"
      case .row((.removed, let line)): "-\(line)"
      case .row((.added, let line)): "+\(line)"
      case .cut(let count): "\(count)"
      }
    }
  }

  @Test(arguments: [
    ("", "", []), ("ab", "ab", ["2"]), ("", "a", ["+a"]), ("a", "", ["-a"]),
    ("a", "b", ["-a", "+b"]),
    ("abc", "adc", [" a", "-b", "+d", " c"]), ("abcdef", "abcdxef", ["3", " d", "+x", " e", " f"]),
    ("abcdefgh", "xabcdefghy", ["+x", " a", "6", " h", "+y"]),
    ("abcd", "cdab", ["-a", "-b", " c", " d", "+a", "+b"]),
  ])
  func theLinesAroundAChangeAreShown(_ old: String, _ new: String, _ expected: [String]) {
    #expect(pieces(old, new) == expected)
  }

  /// Without the marks and what only the other has, each text is there.
  @Test(arguments: ["abcabc", "cba", "aaaa", "", "abcdabcd", "bcda"])
  func eachTextCanBeReadFromTheRows(_ old: String) {
    for new in ["abc", "cab", "", "aab", "dcba", old] {
      let rows = TextChanges(from: old.map { "\($0)" }, to: new.map { "\($0)" }).rows
      #expect(rows.filter { $0.mark != .added }.map { $0.line }.joined() == old)
      #expect(rows.filter { $0.mark != .removed }.map { $0.line }.joined() == new)
    }
  }
}
