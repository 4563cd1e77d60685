import TestSupport
import Testing

/// Compares the whole texts of failures.
struct ExpectSameResultTests {
  private let expected = ExecutableResult(
    status: 0, stdout: "one\ntwo\nthree\n", stderr: "")

  @Test func equalResultsHaveNoDifference() {
    #expect(expected.difference(from: expected) == nil)
    expectSameResult(expected, as: expected)
  }

  @Test func showsTheStatusAndTheDiffsOfBothOutputs() {
    let actual = ExecutableResult(status: -11, stdout: "one\n2\nthree\n", stderr: "no")
    expectEqual(
      actual.difference(from: expected),
      """
      The results differ.
      status: -11, expected 0
      --- expected stdout
      +++ actual stdout
      @@ -1,3 +1,3 @@
       one
      -two
      +2
       three
      --- expected stderr
      +++ actual stderr
      @@ -0,0 +1,1 @@
      +no
      \\ No newline at end of file
      """)
  }

  @Test func showsOnlyWhatDiffers() {
    let actual = ExecutableResult(status: 1, stdout: expected.stdout, stderr: "")
    expectEqual(actual.difference(from: expected), "The results differ.\nstatus: 1, expected 0")
  }

  /// The lines of a trace with another order, as in a run that raced.
  @Test func showsAHundredLinesAtMost() throws {
    let actual = ExecutableResult(
      status: 0, stdout: String(repeating: "new\n", count: 150), stderr: "")
    let lines = try #require(actual.difference(from: expected)).split(separator: "\n")
    // The 100 lines are @@, three old lines and 96 of the new ones.
    expectEqual(lines.count { $0 == "+new" }, 96)
    expectEqual(lines.last, "… 54 more lines")
  }

  @Test func showsTheFirstDifferenceOfHugeOutputs() {
    let huge = String(repeating: "a\n", count: ExecutableResult.lineLimit + 1)
    let old = ExecutableResult(status: 0, stdout: huge, stderr: "")
    let new = ExecutableResult(status: 0, stdout: huge + "b\n", stderr: "")
    expectEqual(
      new.difference(from: old),
      "The results differ.\nstdout, line 20002: \"b\\n\", expected the end")
  }
}
