import Testing

@testable import check_api

@Suite struct ComparisonTests {
  @Test func equalDeclarationsAreNoProblem() throws {
    let comparison = try Fixture().comparison()
    #expect(comparison.problems.map(\.description) == [])
    #expect(comparison.summary == "api: 7 rows, 7 present, 0 different; 0 missing")
  }

  @Test func aMissingSymbolIsOneLine() throws {
    var fixture = Fixture()
    fixture.remove("Publishers.Merge.init(_:_:)")
    let comparison = try fixture.comparison()
    #expect(
      comparison.problems.map(\.description) == [
        "api.tsv:5: missing: `init(_ a: A, _ b: B)` in `Publishers.Merge`"
      ])
    #expect(comparison.summary == "api: 7 rows, 6 present, 0 different; 1 missing")
  }

  @Test(arguments: [
    // A label, a type, a default, an attribute, the result, a generic parameter.
    ("Publishers.Merge.init(_:_:)", "_ b: B", "other b: B"),
    ("Publishers.Merge.init(_:_:)", "_ b: B", "_ b: A"),
    ("Publishers.Merge.init(_:_:)", "_ b: B", "_ b: B? = nil"),
    ("Publishers.Merge.init(_:_:)", "init(", "init?("),
    ("Publisher.scan(_:_:)", "@escaping ", "@escaping @Sendable "),
    ("Publisher.scan(_:_:)", "Scan<Self, T>", "Scan<Self, Self.Output>"),
    ("Publisher.scan(_:_:)", ") -> T)", ") throws -> T)"),
    ("Publisher.scan(_:_:)", "T, Self.Output", "Self.Output, T"),
    ("Publisher.sink(receiveValue:)", "func", "static func"),
    ("Publisher.sink(receiveValue:)", ") -> Any", ") async -> Any"),
  ])
  func aDifferenceNamesBothDeclarations(path: String, from: String, to: String) throws {
    var fixture = Fixture()
    try fixture.change(path, from, to)
    let index = try #require(fixture.symbols.firstIndex { $0.path == path })
    let row = try #require(fixture.table.rows.first { $0.symbol == path })
    let symbol = fixture.symbols[index]
    let condition = symbol.condition.isEmpty ? "" : " where " + symbol.condition.joined()
    let comparison = try fixture.comparison()
    #expect(
      comparison.problems.map(\.description) == [
        "api.tsv:\(row.line): `\(path)` differs: Combine has `\(row.declaration)`,"
          + " here it's `\(symbol.declaration)\(condition)`"
      ])
    #expect(comparison.summary == "api: 7 rows, 6 present, 1 different; 0 missing")
  }

  @Test(arguments: [
    ["Self.Failure == Error"], [], ["Self.Failure == Never", "Self.Output: Equatable"],
  ])
  func theConstraintsOfAnExtensionCount(condition: [String]) throws {
    var fixture = Fixture()
    fixture.symbols[9].condition = condition
    let problems = try fixture.problems()
    #expect(problems.count == 1)
    #expect(problems[0].hasPrefix("api.tsv:8: `Publisher.sink(receiveValue:)` differs:"))
  }

  @Test(arguments: [
    (", A.Output == B.Output", ""), ("B : Publisher", "B : Sendable"), ("<A, B>", "<B, A>"),
    ("struct", "class"), ("A.Output == B.Output", "A.Failure == B.Failure"),
  ])
  func theHeadOfATypeCounts(from: String, to: String) throws {
    var fixture = Fixture()
    try fixture.change("Publishers.Merge", from, to)
    #expect(
      try fixture.problems().first?.hasPrefix("api.tsv:4: `Publishers.Merge` differs:") == true)
  }

  @Test func theConstraintsOfATypeHoldForItsMembers() throws {
    var fixture = Fixture()
    let constraints = ["A: Publisher", "B: Publisher", "A.Output == B.Output"]
    fixture.symbols[4].constraints = constraints
    fixture.rows.append(
      "func|Streams|Publishers.Merge.merge(with:)|func merge<P>(with other: P)"
        + " where P: Publisher, P.Output == B.Output|iOS 13|present|Adds a side.")
    // Some symbol graphs repeat them, and others don't.
    for condition in [[], constraints] {
      fixture.symbols.append(
        .init(
          kind: "method", path: "Publishers.Merge.merge(with:)",
          declaration: "func merge<P>(with other: P) where P : Publisher, P.Output == B.Output",
          condition: condition))
      #expect(try fixture.problems() == [])
      fixture.symbols.removeLast()
    }
  }

  @Test(arguments: [
    ("Publishers.Merge.a", "let a: A", "let a: B"),
    ("Publishers.Merge.Output", "typealias Output = A.Output", "typealias Output = B.Output"),
  ])
  func theMembersOfATypeAreCompared(path: String, from: String, to: String) throws {
    var fixture = Fixture()
    try fixture.change(path, from, to)
    var problems = try fixture.problems()
    #expect(problems.removeFirst() == "api.tsv:4: `Publishers.Merge` has no `\(from)`")
    // The type alias fulfils a requirement, so it needs no row.
    #expect(
      problems.allSatisfy { $0.hasPrefix("api.tsv:1: the table has no row for `\(path)`, `\(to)`") }
    )
    fixture.remove(path)
    #expect(try fixture.problems() == ["api.tsv:4: `Publishers.Merge` has no `\(from)`"])
  }

  // MARK: Conformances

  @Test func aTypeHasToConformWithoutAnyCondition() throws {
    var fixture = Fixture()
    fixture.conformances[0].condition = ["A: Sendable"]
    #expect(
      try fixture.problems() == ["api.tsv:4: `Publishers.Merge` has to conform to `Publisher`"])
    fixture.conformances.remove(at: 0)
    #expect(
      try fixture.problems() == ["api.tsv:4: `Publishers.Merge` has to conform to `Publisher`"])
  }

  @Test func aMissingConformanceIsOneLine() throws {
    var fixture = Fixture()
    fixture.conformances.remove(at: 1)
    let comparison = try fixture.comparison()
    #expect(
      comparison.problems.map(\.description) == [
        "api.tsv:6: missing: `extension Publishers.Merge: Equatable where A: Equatable, B: Equatable`"
      ])
    #expect(comparison.missing == 1)
  }

  @Test func theConditionOfAConformanceCounts() throws {
    var fixture = Fixture()
    fixture.conformances[1].condition = ["A: Equatable"]
    #expect(
      try fixture.problems() == [
        "api.tsv:6: `Publishers.Merge: Equatable` differs: Combine has `extension Publishers.Merge:"
          + " Equatable where A: Equatable, B: Equatable`, here it conforms where A: Equatable"
      ])
  }

  // MARK: Overloads and states

  @Test func eachOverloadNeedsADeclarationOfItsOwn() throws {
    var fixture = Fixture()
    fixture.rows.append(
      "func|Streams|Publisher.scan(_:_:)|func scan(_ initialResult: Self.Output, _ next: Int)|iOS 13"
        + "|present|Publishes each result so far.")
    #expect(
      try fixture.problems() == [
        "api.tsv:9: missing: `func scan(_ initialResult: Self.Output, _ next: Int)` in `Publisher`"
      ])
    fixture.symbols.append(
      .init(
        kind: "method", path: "Publisher.scan(_:_:)",
        declaration: "func scan(_ initialResult: Self.Output, _ next: Int)"))
    #expect(try fixture.problems() == [])
  }

  @Test func aRequirementIsNotAnExtensionsDefault() throws {
    var fixture = Fixture()
    fixture.rows[5] = fixture.rows[5].replacingOccurrences(of: "func|", with: "requirement|")
    let problems = try fixture.problems()
    #expect(problems.contains { $0.hasPrefix("api.tsv:7: missing: `func scan<T>") })
  }

  @Test(arguments: ["apple-only", "left out", "unseen"])
  func aSymbolThatExistsCannotHaveAnotherState(state: String) throws {
    var fixture = Fixture()
    fixture.rows[3] = fixture.rows[3].replacingOccurrences(of: "present", with: state)
    fixture.rows[4] = fixture.rows[4].replacingOccurrences(of: "present", with: state)
    #expect(
      try fixture.problems() == [
        "api.tsv:5: `Publishers.Merge.init(_:_:)` exists, but its state is \(state)",
        "api.tsv:6: `Publishers.Merge: Equatable` exists, but its state is \(state)",
      ])
  }

  @Test func otherStatesAreCounted() throws {
    var fixture = Fixture()
    for (name, state) in [
      ("a", "apple-only"), ("b", "left out"), ("c", "unseen"), ("d", "left out"),
    ] {
      fixture.rows.append(
        "func|Streams|Publisher.\(name)()|func \(name)()|iOS 13|\(state)|The reason of \(name).")
    }
    let comparison = try fixture.comparison()
    #expect(comparison.problems.isEmpty)
    #expect(
      comparison.summary
        == "api: 11 rows, 7 present, 1 unseen, 1 Apple-only, 2 left out, 0 different; 0 missing")
  }

  @Test func aDifferenceOnPurposeHasToBeADifference() throws {
    var fixture = Fixture()
    fixture.rows[3] = fixture.rows[3].replacingOccurrences(of: "present", with: "differs")
    #expect(
      try fixture.problems() == [
        "api.tsv:5: `Publishers.Merge.init(_:_:)` exists, but its state is differs"
      ])
    try fixture.change("Publishers.Merge.init(_:_:)", "_ b: B", "_ b: B? = nil")
    #expect(try fixture.problems() == [])
    fixture.remove("Publishers.Merge.init(_:_:)")
    #expect(
      try fixture.problems() == [
        "api.tsv:5: `Publishers.Merge.init(_:_:)` is missing, but its state is differs"
      ])
  }

  // MARK: Symbols that Combine doesn't have

  @Test func aSymbolWithoutARowIsAProblem() throws {
    var fixture = Fixture()
    fixture.symbols.append(
      .init(kind: "struct", path: "AnyScheduler", declaration: "struct AnyScheduler<Time>"))
    fixture.symbols.append(
      .init(kind: "method", path: "AnyScheduler.run()", declaration: "func run()"))
    #expect(
      try fixture.problems() == [
        "api.tsv:1: the table has no row for `AnyScheduler.run()`, `func run()` in Streams: add one"
          + " if Combine has it; if not, move it to StreamsExtras, or make it internal",
        "api.tsv:1: the table has no row for `AnyScheduler`, `struct AnyScheduler<Time>` in Streams:"
          + " add one if Combine has it; if not, move it to StreamsExtras, or make it internal",
      ])
  }

  @Test func fulfillingARequirementNeedsNoRow() throws {
    var fixture = Fixture()
    fixture.symbols.append(
      .init(
        kind: "method", path: "Publishers.Merge.==(_:_:)",
        declaration: "static func == (lhs: Publishers.Merge<A, B>, rhs: Publishers.Merge<A, B>)"
          + " -> Bool"))
    fixture.symbols.append(
      .init(
        kind: "typealias", path: "Publishers.Merge.Failure",
        declaration: "typealias Failure = A.Failure"))
    #expect(try fixture.problems() == [])
    fixture.conformances.remove(at: 1)
    #expect(try fixture.problems().contains { $0.contains("no row for `Publishers.Merge.==") })
  }
}
