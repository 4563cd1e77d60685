import Testing

@testable import weave_docs

struct SwiftDeclarationsTests {
  private func publicNames(_ source: String) -> [String] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return SwiftDeclarations(lines).all.filter(\.isPublic)
      .map { $0.owner.isEmpty ? $0.name : "\($0.owner) \($0.name)" }
  }

  @Test func `a name has its labels, without those that the compiler fills in`() {
    #expect(
      publicNames(
        """
        public final class Clock {
          /// A public func in a comment.
          @discardableResult
          public func advance(
            by interval: Int, to _: [Int: Int] = [:], line: Int = #line
          ) -> Int {
            let local = 1
            return local
          }
          public init?(_ name: String, at: (Int, Int) -> Void) {}
          private let secret = 1
        }
        """) == ["Clock", "Clock advance(by:to:)", "Clock init(_:at:)"])
  }

  @Test func `members of extensions and nested types have an owner`() {
    #expect(
      publicNames(
        """
        extension Array {
          public static var most: Int { 1 }
        }
        public enum Kind {
          case many(Int, of: String)
        }
        extension Kind {
          public protocol Part {
            var size: Int { get }
          }
        }
        public func run<T>(_ body: (Int) -> T) {}
        """) == [
          "Array most", "Kind", "Kind many(_:of:)", "Kind Part", "Kind.Part size", "run(_:)",
        ])
  }

  @Test func `a string declares nothing`() {
    #expect(
      publicNames(
        #"""
        public struct Text {
          static let example = """
            public func notAFunction() {}
          """
          public var text: String
        }
        """#) == ["Text", "Text text"])
  }
}
