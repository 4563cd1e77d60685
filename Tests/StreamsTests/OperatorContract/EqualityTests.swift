import Streams
import TestSupport
import Testing

/// Tests that two publishers are equal if all their properties are, and only then.
struct EqualityTests {
  /// A publisher, and others that differ from it in one property each.
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether it's equal to another one with the same properties.
    let isEqual: @Sendable () -> Bool
    /// For each of the others, whether it's different.
    let differ: @Sendable () -> [Bool]

    init<P: Publisher & Equatable & Sendable>(
      _ make: @escaping @Sendable (Just<Int>) -> P, _ others: P...
    ) {
      let name = "\(P.self)".prefix { $0 != "<" }
      testDescription = name == "Publisher" ? "\(P.Output.self) \(name)" : "\(name)"
      isEqual = { make(Just(1)) == make(Just(1)) }
      differ = { others.map { make(Just(1)) != $0 } }
    }
  }

  @Test(arguments: Example.all) func equalPropertiesMakeEqualPublishers(_ example: Example) {
    #expect(example.isEqual())
  }

  @Test(arguments: Example.all) func eachPropertyCounts(_ example: Example) {
    let differ = example.differ()
    #expect(!differ.isEmpty)
    #expect(differ == Array(repeating: true, count: differ.count))
  }
}

extension EqualityTests.Example {
  private static let two = Just(2)

  static let all = sources + operators + combinations + merges

  private static let sources = [
    Self({ $0 }, two),
    Self({ _ in Empty<Int, Never>() }, Empty(completeImmediately: false)),
    Self({ _ in Fail<Int, TestError>(error: "a") }, Fail(error: "b")),
    Self({ _ in Int?.Publisher(1) }, Int?.Publisher(2), Int?.Publisher(nil)),
    Self(
      { _ in Result<Int, TestError>.Publisher(1) }, Result.Publisher(2), Result.Publisher("a")),
    Self({ _ in [1, 2].publisher }, [2, 1].publisher, [1].publisher),
  ]

  private static let operators = [
    Self(
      { Publishers.SetFailureType<Just<Int>, TestError>(upstream: $0) },
      Publishers.SetFailureType(upstream: two)),
    Self({ Publishers.Collect(upstream: $0) }, Publishers.Collect(upstream: two)),
    Self({ Publishers.Count(upstream: $0) }, Publishers.Count(upstream: two)),
    Self({ Publishers.IgnoreOutput(upstream: $0) }, Publishers.IgnoreOutput(upstream: two)),
    Self({ Publishers.First(upstream: $0) }, Publishers.First(upstream: two)),
    Self({ Publishers.Last(upstream: $0) }, Publishers.Last(upstream: two)),
    Self(
      { Publishers.CollectByCount(upstream: $0, count: 3) },
      Publishers.CollectByCount(upstream: two, count: 3),
      Publishers.CollectByCount(upstream: Just(1), count: 4)),
    Self(
      { Publishers.Contains(upstream: $0, output: 3) },
      Publishers.Contains(upstream: two, output: 3),
      Publishers.Contains(upstream: Just(1), output: 4)),
    Self(
      { Publishers.ReplaceEmpty(upstream: $0, output: 3) },
      Publishers.ReplaceEmpty(upstream: two, output: 3),
      Publishers.ReplaceEmpty(upstream: Just(1), output: 4)),
    Self(
      { Publishers.ReplaceError(upstream: $0, output: 3) },
      Publishers.ReplaceError(upstream: two, output: 3),
      Publishers.ReplaceError(upstream: Just(1), output: 4)),
    Self(
      { Publishers.Retry(upstream: $0, retries: 3) }, Publishers.Retry(upstream: two, retries: 3),
      Publishers.Retry(upstream: Just(1), retries: 4),
      Publishers.Retry(upstream: Just(1), retries: nil)),
    Self(
      { Publishers.Drop(upstream: $0, count: 3) }, Publishers.Drop(upstream: two, count: 3),
      Publishers.Drop(upstream: Just(1), count: 4)),
    Self(
      { Publishers.Output(upstream: $0, range: 3..<5) },
      Publishers.Output(upstream: two, range: 3..<5),
      Publishers.Output(upstream: Just(1), range: 3..<6)),
  ]

  private static let combinations = [
    Self(
      { Publishers.Concatenate(prefix: $0, suffix: $0) },
      Publishers.Concatenate(prefix: two, suffix: Just(1)),
      Publishers.Concatenate(prefix: Just(1), suffix: two)),
    Self(
      { Publishers.DropUntilOutput(upstream: $0, other: $0) },
      Publishers.DropUntilOutput(upstream: two, other: Just(1)),
      Publishers.DropUntilOutput(upstream: Just(1), other: two)),
    Self(
      { Publishers.PrefixUntilOutput(upstream: $0, other: $0) },
      Publishers.PrefixUntilOutput(upstream: two, other: Just(1)),
      Publishers.PrefixUntilOutput(upstream: Just(1), other: two)),
    Self({ Publishers.Zip($0, $0) }, Publishers.Zip(two, Just(1)), Publishers.Zip(Just(1), two)),
    Self(
      { Publishers.Zip3($0, $0, $0) }, Publishers.Zip3(two, Just(1), Just(1)),
      Publishers.Zip3(Just(1), two, Just(1)), Publishers.Zip3(Just(1), Just(1), two)),
    Self(
      { Publishers.Zip4($0, $0, $0, $0) }, Publishers.Zip4(two, Just(1), Just(1), Just(1)),
      Publishers.Zip4(Just(1), two, Just(1), Just(1)),
      Publishers.Zip4(Just(1), Just(1), two, Just(1)),
      Publishers.Zip4(Just(1), Just(1), Just(1), two)),
    Self(
      { Publishers.CombineLatest($0, $0) }, Publishers.CombineLatest(two, Just(1)),
      Publishers.CombineLatest(Just(1), two)),
    Self(
      { Publishers.CombineLatest3($0, $0, $0) },
      Publishers.CombineLatest3(two, Just(1), Just(1)),
      Publishers.CombineLatest3(Just(1), two, Just(1)),
      Publishers.CombineLatest3(Just(1), Just(1), two)),
    Self(
      { Publishers.CombineLatest4($0, $0, $0, $0) },
      Publishers.CombineLatest4(two, Just(1), Just(1), Just(1)),
      Publishers.CombineLatest4(Just(1), two, Just(1), Just(1)),
      Publishers.CombineLatest4(Just(1), Just(1), two, Just(1)),
      Publishers.CombineLatest4(Just(1), Just(1), Just(1), two)),
  ]

  /// The others have their 2 at each place in turn.
  private static let merges: [Self] = {
    @Sendable func row(_ place: Int) -> [Just<Int>] { (0..<8).map { Just($0 == place ? 2 : 1) } }
    @Sendable func three(_ p: Int) -> Publishers.Merge3<Just<Int>, Just<Int>, Just<Int>> {
      let x = row(p)
      return Publishers.Merge3(x[0], x[1], x[2])
    }
    @Sendable func four(_ p: Int) -> Publishers.Merge4<Just<Int>, Just<Int>, Just<Int>, Just<Int>> {
      let x = row(p)
      return Publishers.Merge4(x[0], x[1], x[2], x[3])
    }
    @Sendable func five(
      _ p: Int
    ) -> Publishers.Merge5<Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>> {
      let x = row(p)
      return Publishers.Merge5(x[0], x[1], x[2], x[3], x[4])
    }
    @Sendable func six(
      _ p: Int
    ) -> Publishers.Merge6<Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>> {
      let x = row(p)
      return Publishers.Merge6(x[0], x[1], x[2], x[3], x[4], x[5])
    }
    @Sendable func seven(
      _ p: Int
    )
      -> Publishers.Merge7<
        Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>
      >
    {
      let x = row(p)
      return Publishers.Merge7(x[0], x[1], x[2], x[3], x[4], x[5], x[6])
    }
    @Sendable func eight(
      _ p: Int
    )
      -> Publishers.Merge8<
        Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>
      >
    {
      let x = row(p)
      return Publishers.Merge8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
    }
    return [
      Self(
        { Publishers.Merge($0, $0) }, Publishers.Merge(two, Just(1)), Publishers.Merge(Just(1), two)
      ),
      Self({ Publishers.MergeMany([$0, $0]) }, Publishers.MergeMany([Just(1), two])),
      Self({ _ in three(8) }, three(0), three(1), three(2)),
      Self({ _ in four(8) }, four(0), four(1), four(2), four(3)),
      Self({ _ in five(8) }, five(0), five(1), five(2), five(3), five(4)),
      Self({ _ in six(8) }, six(0), six(1), six(2), six(3), six(4), six(5)),
      Self({ _ in seven(8) }, seven(0), seven(1), seven(2), seven(3), seven(4), seven(5), seven(6)),
      Self(
        { _ in eight(8) }, eight(0), eight(1), eight(2), eight(3), eight(4), eight(5), eight(6),
        eight(7)),
    ]
  }()
}
