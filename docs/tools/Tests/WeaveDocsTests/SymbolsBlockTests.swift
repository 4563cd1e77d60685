import Testing

@testable import weave_docs

struct SymbolsBlockTests {
  private func symbols(_ source: String) -> [String] {
    woven(Fixture.tree(block: "<!-- symbols Module -->", ["Sources/Module/A.swift": source]))
  }

  @Test func `a type has a table of its public members`() {
    let source = """
      /// A clock. It moves
      /// only when told to.
      public final class Clock: Sendable {
        /// The present.
        public let now: Int

        private let secret = 1

        /// Moves time by an interval.
        ///
        /// - Parameter interval: How long.
        @discardableResult
        public func advance(
          by interval: Int, to _: [Int: Int] = [:], line: Int = #line
        ) -> Int {
          let local = 1
          return local
        }

        /// Makes a clock.
        public init?(_ name: String, at: (Int, Int) -> Void) {}
      }
      """
    #expect(
      symbols(source) == [
        "### `Clock`", "", "A clock.", "", "| Member | Purpose |", "| --- | --- |",
        "| `now` | The present. |", "| `advance(by:to:)` | Moves time by an interval. |",
        "| `init(_:at:)` | Makes a clock. |",
      ])
  }

  @Test func `functions come first and types of other modules last`() {
    let source = """
      extension Array {
        /// The last one; ``Module/Kind/one`` or ``two(at:fileID:filePath:line:column:)``.
        public static var most: Int { 1 }
      }
      /// Kinds.
      public enum Kind {
        /// One | two.
        case one
        /// Many.
        case many(Int, of: String)
      }
      extension Kind {
        /// Parts.
        public protocol Part {
          /// The size.
          var size: Int { get }
        }
      }
      /// Runs.
      public func run<T>(_ body: (Int) -> T) {}
      """
    #expect(
      symbols(source) == [
        "### Functions", "", "| Member | Purpose |", "| --- | --- |", "| `run(_:)` | Runs. |", "",
        "### `Kind`", "", "Kinds.", "", "| Member | Purpose |", "| --- | --- |",
        "| `one` | One \\| two. |", "| `many(_:of:)` | Many. |", "",
        "### `Kind.Part`", "", "Parts.", "", "| Member | Purpose |", "| --- | --- |",
        "| `size` | The size. |", "",
        "### `Array`", "", "| Member | Purpose |", "| --- | --- |",
        "| `static most` | The last one; `one` or `two(at:)`. |",
      ])
  }

  @Test func `leaves out members that aren't public, and those that every type has`() {
    let source = #"""
      struct Hidden {
        /// Only looks public.
        public var count: Int { 1 }
      }
      package func hidden() {}
      /// Text.
      public struct Text {
        /// In a string:
        static let example = """
            public func notAFunction() {}
          """
        /// The text.
        public var description: String { "" }
        /// Whether both are equal.
        public static func == (a: Text, b: Text) -> Bool { true }
      }
      """#
    #expect(symbols(source) == ["### `Text`", "", "Text."])
  }

  @Test func `a public symbol needs a comment`() {
    #expect(
      problems(
        Fixture.tree(
          block: "<!-- symbols Module -->",
          ["Sources/Module/A.swift": "/// A type.\npublic struct A {\n  public let b: Int\n}\n"]))
        == ["Sources/Module/A.swift:3: `A.b` is public, but has no comment: add one"])
  }

  @Test func `a module has to exist`() {
    #expect(
      problems(Fixture.tree(block: "<!-- symbols Nothing -->")) == [
        "docs/page.md:1: Sources has no module 'Nothing' with public symbols"
      ])
  }
}
