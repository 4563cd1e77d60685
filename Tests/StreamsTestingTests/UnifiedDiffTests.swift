import StreamsTesting
import TestSupport
import Testing

struct UnifiedDiffTests {
  @Test func showsThreeLinesAroundEachChange() {
    let old = (1...20).map { "line \($0)\n" }
    var new = old
    new[14] = "changed\n"
    new.remove(at: 4)
    new.insert("added\n", at: 0)
    let diff = UnifiedDiff(old: old.joined(), new: new.joined())
    #expect(
      diff.lines() == [
        "@@ -1,8 +1,8 @@", "+added", " line 1", " line 2", " line 3", " line 4", "-line 5",
        " line 6", " line 7", " line 8",
        "@@ -12,7 +12,7 @@", " line 12", " line 13", " line 14", "-line 15", "+changed",
        " line 16", " line 17", " line 18",
      ])
    #expect(diff.firstDivergence == .init(line: 1, old: "line 1\n", new: "added\n"))
  }

  @Test func joinsHunksThatTouch() {
    let old = (0..<8).map { "\($0)\n" }
    for last in [6, 7] {
      var new = old
      new[0] = "changed\n"
      new[last] = "changed\n"
      let diff = UnifiedDiff(old: old.joined(), new: new.joined())
      #expect(diff.lines().count { $0.hasPrefix("@@") } == 1)
    }
  }

  @Test func isEmptyForEqualTexts() {
    #expect(UnifiedDiff(old: "a\n", new: "a\n").lines() == [])
    #expect(UnifiedDiff(old: "a\n", new: "a\n").firstDivergence == nil)
    #expect(UnifiedDiff(old: "", new: "").lines() == [])
  }

  @Test func startsAtZeroForAnEmptySide() {
    #expect(UnifiedDiff(old: "", new: "a\n").lines() == ["@@ -0,0 +1,1 @@", "+a"])
    #expect(UnifiedDiff(old: "a\n", new: "").lines() == ["@@ -1,1 +0,0 @@", "-a"])
    #expect(
      UnifiedDiff(old: "a\n", new: "").firstDivergence == .init(line: 1, old: "a\n", new: nil))
  }

  @Test func comparesTrailingNewlinesAndEncodings() {
    #expect(
      UnifiedDiff(old: "a\r\n", new: "a").lines() == [
        "@@ -1,1 +1,1 @@", "-a\r", "+a", "\\ No newline at end of file",
      ])
    #expect(!UnifiedDiff(old: "e\u{301}\n", new: "\u{e9}\n").lines().isEmpty)
  }

  @Test func comparesListsOfLines() {
    #expect(
      UnifiedDiff(oldLines: ["a", "b"], newLines: ["a", ""]).lines() == [
        "@@ -1,2 +1,2 @@", " a", "-b", "+",
      ])
    #expect(UnifiedDiff(oldLines: [], newLines: ["a"]).lines() == ["@@ -0,0 +1,1 @@", "+a"])
  }

  @Test func countsTheLinesOfTheLongerSide() {
    #expect(UnifiedDiff(old: "a\nb", new: "a\n").lineCount == 2)
    #expect(UnifiedDiff(old: "", new: "a\nb\nc\n").lineCount == 3)
  }

  @Test(arguments: 0..<300)
  func turnsTheOldTextIntoTheNewOne(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let old = randomText(using: &generator)
    let new = randomText(using: &generator)
    for context in [0, 1, 3] {
      #expect(apply(UnifiedDiff(old: old, new: new).lines(context: context), to: old) == new)
    }
  }

  private func randomText(using generator: inout SplitMix64) -> String {
    let lines = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
      ["a", "b", "c", "", "e\u{301}"].randomElement(using: &generator) ?? ""
    }
    let text = lines.joined(separator: "\n")
    return Bool.random(using: &generator) ? text : text + "\n"
  }

  /// Applies a diff to a text, as `patch` does.
  private func apply(_ diff: [String], to text: String) -> String {
    var old = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\($0)\n" }[...]
    // The last part has no newline. If it's empty, it isn't a line.
    old[old.endIndex - 1].removeLast()
    if old.last == "" { old.removeLast() }
    var new = ""
    for (index, line) in diff.enumerated() {
      switch line.first {
      case "@":
        // "@@ -start,count +start,count @@"
        let side = line.split(separator: " ")[1].dropFirst().split(separator: ",")
        let (start, count) = (Int(side[0]) ?? 0, Int(side[1]) ?? 0)
        let first = count == 0 ? start : start - 1
        while old.startIndex < first { new += old.removeFirst() }
      case "-": old.removeFirst()
      case "+":
        let isWithoutNewline = index + 1 < diff.count && diff[index + 1].first == "\\"
        new += line.dropFirst() + (isWithoutNewline ? "" : "\n")
      case "\\": break
      default: new += old.removeFirst()
      }
    }
    return new + old.joined()
  }
}
