import Testing

@testable import check_api

@Suite struct DeclarationTests {
  private func scope(_ owner: String = "") throws -> TypeScope {
    var fixture = Fixture()
    fixture.symbols += [
      .init(kind: "struct", path: "Queue", declaration: "struct Queue"),
      .init(kind: "struct", path: "Queue.Time", declaration: "struct Time"),
      .init(kind: "struct", path: "Queue.Time.Stride", declaration: "struct Stride"),
      .init(kind: "typealias", path: "Queue.Options", declaration: "typealias Options = Never"),
      .init(kind: "struct", path: "Publishers.Output", declaration: "struct Output<Upstream>"),
      .init(kind: "struct", path: "Publishers.Map", declaration: "struct Map<Upstream, Output>"),
    ]
    return TypeScope(
      try fixture.library().names, owner: owner.split(separator: ".").map(String.init))
  }

  @Test(arguments: [
    ("Queue.Time.Stride", "Stride", "Queue.Time.Stride"),
    ("Queue", "Time.Stride?", "Queue.Time.Stride?"),
    ("Queue", "Options?", "Never?"),
    ("Queue.Time", "Self", "Queue.Time"),
    ("Publisher", "Self.Output", "Output"),
    ("Publisher", "Self", "Self"),
    ("Publishers.Map", "Publishers.Map<Upstream, Output>", "Publishers.Map"),
    ("Publishers.Map", "Map<Upstream, Int>", "Publishers.Map<Upstream, Int>"),
    // The generic parameter, and not the type of this name next to `Map`.
    ("Publishers.Map", "Output", "Output"),
    ("Publishers.Merge", "Output", "A.Output"),
    ("Publishers.Merge", "Publishers.Merge<A, B>.Output", "A.Output"),
    ("", "Optional<Array<Swift.Int>>", "[Int]?"),
    ("", "Foundation.TimeInterval", "Double"),
    ("", "CountableRange<Int>", "Range<Int>"),
    ("", "any Swift.Error", "Error"),
    ("", "((any Error) -> Void)?", "((Error) -> Void)?"),
    ("", "(Int) throws -> ()", "((Int) throws -> Void)"),
    ("", "() async -> [String: Int]", "(() async -> [String: Int])"),
    ("", "(_ value: Int, name: String)", "(Int, name: String)"),
    ("", "Item.Type", "Item.Type"),
    ("", "A & B", "A & B"),
  ])
  func aTypeHasOneName(owner: String, text: String, name: String) throws {
    #expect(try DeclarationParser.type(text, in: scope(owner)) == name)
  }

  @Test(arguments: [
    ("func f<A>(_ a: A) where A: P", "func f<B: P>(_ other: B)"),
    ("func `catch`()", "func catch() -> Void"),
    ("@frozen enum E<F> where F : Error", "enum E<F: Error>"),
    ("let a: Int", "var a: Int { get }"),
    ("var a: Int", "var a: Int { get set }"),
    ("var a: Int { mutating get _modify }", "var a: Int { mutating get set }"),
    ("func f() where A == B, B == C", "func f() where C == A, A == B"),
    ("case a(Int)", "indirect case a(Int)"),
    ("func f(file: StaticString = #file)", "func f( file: StaticString=#file )"),
    ("class C", "open class C"),
    ("nonisolated(nonsending) func f() async", "func f() async"),
    ("final let a: Int", "let a: Int"),
  ])
  func twoSpellingsAreOneDeclaration(one: String, other: String) throws {
    #expect(
      try DeclarationParser.declaration(one, in: scope())
        == DeclarationParser.declaration(other, in: scope()))
  }

  @Test(arguments: [
    ("func f<A, B>(_ a: A, _ b: B)", "func f<A, B>(_ a: B, _ b: A)"),
    ("func f() where A == B", "func f() where A == B, B == C"),
    ("func f(a: Int)", "func f(_ a: Int)"),
    ("func f(a: Int = 1)", "func f(a: Int = 2)"),
    ("func f(a: Int = 1)", "func f(a: Int)"),
    ("func f(a: inout Int)", "func f(a: Int)"),
    ("func f(a: Int...)", "func f(a: Int)"),
    ("func f() throws", "func f()"),
    ("func f() throws(E)", "func f() throws"),
    ("var a: Int { get async throws }", "var a: Int { get async }"),
    ("var a: Int { mutating get }", "var a: Int { get }"),
    ("final class C", "class C"),
    ("static let a: Int", "let a: Int"),
    ("mutating func f()", "func f()"),
    ("func f(a: @escaping () -> Void)", "func f(a: () -> Void)"),
  ])
  func aDifferenceOfMeaningIsADifference(one: String, other: String) throws {
    #expect(
      try DeclarationParser.declaration(one, in: scope())
        != DeclarationParser.declaration(other, in: scope()))
  }
}
