import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in
/// `ReductionStageTests`.
struct ContainsTests {
  @Test func aValueIsComparedWithItsOwnEquality() {
    let source = ScriptedPublisher<Name, Never>()
    let history = source.contains(Name("ada")).history()
    source.send(Name("Grace"))
    expectEqual(history.text, "Contains:")
    source.send(Name("ADA"))
    expectEqual(history.text, "Contains: true |")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func nilCanBeLookedFor() {
    let source = ScriptedPublisher<Int?, Never>()
    let history = source.contains(nil).history()
    source.send(1)
    source.send(nil)
    expectEqual(history.text, "Contains: true |")
  }

  @Test func storesItsOutput() {
    expectEqual(Publishers.Contains(upstream: Empty<Int, Never>(), output: 1).output, 1)
  }

  /// Two names are equal if they differ only in their case.
  private struct Name: Equatable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.lowercased() == rhs.text.lowercased() }
  }
}
