import Streams
import TestSupport
import Testing

/// Tests that two publishers are equal if all their properties are, and only then.
struct EqualityTests {
  /// A publisher with one property that the test chooses.
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether the publishers with two values of the property are equal.
    let compare: @Sendable (Int, Int) -> Bool

    init<P: Publisher & Equatable & Sendable>(_ make: @escaping @Sendable (Int) -> P) {
      testDescription = "\(P.self)"
      compare = { make($0) == make($1) }
    }
  }

  @Test(arguments: Example.all) func eachPropertyCounts(_ example: Example) {
    expectEqual([example.compare(1, 1), example.compare(1, 2)], [true, false])
  }
}

extension EqualityTests.Example {
  private static let one = Just(1)

  static let all = sources + operators + combinations

  private static let sources = [
    Self { Just($0) },
    Self { Empty<Int, Never>(completeImmediately: $0 == 1) },
    Self { Fail<Int, TestError>(error: TestError("\($0)")) },
    Self { Int?.Publisher($0) },
    Self { Int?.Publisher($0 == 1 ? 1 : nil) },
    Self { Result<Int, TestError>.Publisher($0) },
    Self { Result<Int, TestError>.Publisher($0 == 1 ? .success(1) : .failure("a")) },
    Self { [1, $0].publisher },
  ]

  private static let operators = [
    Self { Publishers.SetFailureType<Just<Int>, TestError>(upstream: Just($0)) },
    Self { Publishers.Collect(upstream: Just($0)) },
    Self { Publishers.Count(upstream: Just($0)) },
    Self { Publishers.IgnoreOutput(upstream: Just($0)) },
    Self { Publishers.First(upstream: Just($0)) },
    Self { Publishers.Last(upstream: Just($0)) },
    Self { Publishers.CollectByCount(upstream: Just($0), count: 3) },
    Self { Publishers.CollectByCount(upstream: one, count: $0) },
    Self { Publishers.Contains(upstream: Just($0), output: 3) },
    Self { Publishers.Contains(upstream: one, output: $0) },
    Self { Publishers.ReplaceEmpty(upstream: Just($0), output: 3) },
    Self { Publishers.ReplaceEmpty(upstream: one, output: $0) },
    Self { Publishers.ReplaceError(upstream: Just($0), output: 3) },
    Self { Publishers.ReplaceError(upstream: one, output: $0) },
    Self { Publishers.Retry(upstream: Just($0), retries: 3) },
    Self { Publishers.Retry(upstream: one, retries: $0) },
    Self { Publishers.Drop(upstream: Just($0), count: 3) },
    Self { Publishers.Drop(upstream: one, count: $0) },
    Self { Publishers.Output(upstream: Just($0), range: 3..<5) },
    Self { Publishers.Output(upstream: one, range: $0..<5) },
  ]

  // The compiler writes these comparisons, so the first and the last of several upstreams will do.
  private static let combinations = [
    Self { Publishers.Concatenate(prefix: Just($0), suffix: one) },
    Self { Publishers.Concatenate(prefix: one, suffix: Just($0)) },
    Self { Publishers.DropUntilOutput(upstream: Just($0), other: one) },
    Self { Publishers.DropUntilOutput(upstream: one, other: Just($0)) },
    Self { Publishers.PrefixUntilOutput(upstream: Just($0), other: one) },
    Self { Publishers.PrefixUntilOutput(upstream: one, other: Just($0)) },
    Self { Publishers.Zip(Just($0), one) },
    Self { Publishers.Zip(one, Just($0)) },
    Self { Publishers.Zip3(one, one, Just($0)) },
    Self { Publishers.Zip4(one, one, one, Just($0)) },
    Self { Publishers.CombineLatest(Just($0), one) },
    Self { Publishers.CombineLatest(one, Just($0)) },
    Self { Publishers.CombineLatest3(one, one, Just($0)) },
    Self { Publishers.CombineLatest4(one, one, one, Just($0)) },
    Self { Publishers.Merge(Just($0), one) },
    Self { Publishers.Merge(one, Just($0)) },
    Self { Publishers.Merge3(one, one, Just($0)) },
    Self { Publishers.Merge4(one, one, one, Just($0)) },
    Self { Publishers.Merge5(one, one, one, one, Just($0)) },
    Self { Publishers.Merge6(one, one, one, one, one, Just($0)) },
    Self { Publishers.Merge7(one, one, one, one, one, one, Just($0)) },
    Self { Publishers.Merge8(one, one, one, one, one, one, one, Just($0)) },
    Self { Publishers.MergeMany([one, Just($0)]) },
  ]
}
