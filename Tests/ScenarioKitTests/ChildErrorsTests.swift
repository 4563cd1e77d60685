import Testing

@testable import ScenarioKit

@Suite struct ChildErrorsTests {
  private static let trap = "FoundationNetworking/NativeProtocol.swift:240: Fatal error: No end.\n"

  /// Passes a text in pieces of a few bytes, and returns the texts that come out.
  private func pass(_ text: String, isTrap: Bool) -> [String?] {
    var errors = ChildErrors()
    let bytes = Array(text.utf8)
    let passed = stride(from: 0, to: bytes.count, by: 7).map { start in
      errors.receive(bytes[start..<min(start + 7, bytes.count)])
    }
    let (rest, message) = errors.finish(isTrap: isTrap)
    return [passed.joined(), rest, message, "\(errors.hasFatalError)"]
  }

  @Test func aTrapOfFoundationIsTakenOut() {
    #expect(
      pass("première\n\(Self.trap)after\n", isTrap: true)
        == ["première\n", "after\n", "No end", "true"])
  }

  @Test func withoutATrapNothingIsTakenOut() {
    #expect(
      pass("before\n\(Self.trap)after\n", isTrap: false)
        == ["before\n", "\(Self.trap)after\n", nil, "true"])
  }

  @Test(arguments: ["Main/main.swift:1: Fatal error: No FoundationNetworking/\n", "x \(trap)"])
  func aTrapElsewhereIsPassed(line: String) {
    #expect(pass(line, isTrap: true) == [line, "", nil, "true"])
  }

  @Test func anUnfinishedLineIsPassedAtTheEnd() {
    #expect(pass("one\ntwo", isTrap: true) == ["one\n", "two", nil, "false"])
  }

  @Test func aLongTextDoesNotWait() {
    var errors = ChildErrors()
    let long = Self.trap + String(repeating: "x", count: 1 << 20)
    #expect(errors.receive(long.utf8) == long)
    #expect(errors.receive("line\n".utf8) == "line\n")
  }
}
