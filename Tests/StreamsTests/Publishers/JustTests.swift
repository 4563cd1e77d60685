import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
@Suite struct JustTests {
  let log = CallLog()

  @Test func storesItsOutput() { #expect(Just(7).output == 7) }

  @Test func anOperatorWorksAtOnce() {
    let mapped: Just<String> = Just(7).map { [log] value in
      log.append("map")
      return "\(value)"
    }
    #expect(log.lines == ["map"])
    #expect(mapped == Just("7"))
    #expect(mapped.history().events == [.subscription("Just"), .value("7"), .finished])
    #expect(log.lines == ["map"])
  }

  @Test func aThrowBecomesTheFailure() {
    let kept: Result<Int, any Error>.Publisher = Just(7).tryMap { $0 + 1 }
    let thrown: Result<Int, any Error>.Publisher = Just(7).tryMap { throw TestError("\($0)") }
    #expect(kept.history().events == [.subscription("Once"), .value(8), .finished])
    #expect(thrown.history().events == [.subscription("Empty"), .failure(TestError("7"))])
  }

  @Test func operatorsThatMayDropTheValueReturnAnOptionalPublisher() {
    #expect(Just(7).compactMap { $0 > 5 ? $0 * 10 : nil } == Int?.Publisher(70))
    #expect(Just(3).compactMap { $0 > 5 ? $0 * 10 : nil } == Int?.Publisher(nil))
    #expect(Just(7).filter { $0 > 5 } == Int?.Publisher(7))
    #expect(Just(3).filter { $0 > 5 } == Int?.Publisher(nil))
  }

  @Test func errorOperatorsDoNothingIfThePublisherCannotFail() {
    #expect(Just(7).replaceError(with: 8) == Just(7))
    #expect(Just(7).retry(3) == Just(7))
    let mapped: Result<Int, TestError>.Publisher = Just(7).mapError { _ in TestError("never") }
    let typed: Result<Int, TestError>.Publisher = Just(7).setFailureType(to: TestError.self)
    #expect(mapped == Result<Int, TestError>.Publisher(7))
    #expect(typed == Result<Int, TestError>.Publisher(7))
  }

  @Test func operatorsTreatTheValueAsAWholeStream() {
    #expect(Just(7).collect() == Just([7]))
    #expect(Just(7).count() == Just(1))
    #expect(Just(7).first() == Just(7))
    #expect(Just(7).last() == Just(7))
    #expect(Just(7).removeDuplicates() == Just(7))
    #expect(Just(7).removeDuplicates { _, _ in fatalError() } == Just(7))
    #expect(Just(7).ignoreOutput() == Empty(completeImmediately: true))
    let sum: Result<Int, Never>.Publisher = Just(7).reduce(1, +)
    let result: Result<Int, Never>.Publisher = Just(7).scan(1, +)
    #expect([sum, result].map(\.result) == [.success(8), .success(8)])
  }

  @Test(arguments: [
    Just(7).tryReduce(1, sum).result, Just(7).tryScan(1, sum).result,
    Just(7).tryRemoveDuplicates(by: areEqual).result.map { $0 + 1 },
  ])
  func throwingOperatorsRunAtOnce(result: Result<Int, any Error>) throws {
    #expect(try result.get() == 8)
  }

  @Test(arguments: [
    Just(13).tryReduce(1, sum).result, Just(13).tryScan(1, sum).result,
    Just(13).tryRemoveDuplicates(by: areEqual).result,
  ])
  func anErrorThrownAtOnceIsTheFailure(result: Result<Int, any Error>) {
    #expect(throws: TestError("thirteen")) { try result.get() }
  }

  @Test(arguments: [7, 3]) func aPredicateKeepsOrDropsTheValue(value: Int) {
    let kept = Int?.Publisher(value > 5 ? value : nil)
    #expect(Just(value).first { $0 > 5 } == kept)
    #expect(Just(value).last { $0 > 5 } == kept)
    #expect(Just(value).prefix { $0 > 5 } == kept)
  }

  @Test func theValueHasIndexZero() {
    let kept = Int?.Publisher(7)
    let nothing = Int?.Publisher(nil)
    #expect([Just(7).prefix(0), Just(7).prefix(1), Just(7).prefix(9)] == [nothing, kept, kept])
    #expect([Just(7).output(at: 0), Just(7).output(at: 1)] == [kept, nothing])
    #expect([Just(7).output(in: 0...), Just(7).output(in: ...4)] == [kept, kept])
    #expect([Just(7).output(in: 1...), Just(7).output(in: 0..<0)] == [nothing, nothing])
    #expect([Just(7).output(in: -10..<10), Just(7).output(in: (-1)...)] == [nothing, nothing])
  }

  @Test func droppingMakesAnOptionalPublisher() {
    let kept = Int?.Publisher(7)
    let nothing = Int?.Publisher(nil)
    #expect(
      [Just(7).dropFirst(0), Just(7).dropFirst(1), Just(7).dropFirst(9)] == [
        kept, nothing, nothing,
      ])
    #expect(Just(7).dropFirst() == nothing)
    #expect(Just(7).drop { $0 < 5 } == kept)
    #expect(Just(7).drop { $0 < 9 } == nothing)
  }

  @Test func joiningMakesASequence() {
    let sequences: [Publishers.Sequence<[Int], Never>] = [
      Just(7).append(8, 9), Just(7).append(8...9), Just(7).append(), Just(7).prepend(5, 6),
      Just(7).prepend(5...6), Just(7).prepend(Set([6])),
    ]
    #expect(
      sequences.map(\.sequence) == [[7, 8, 9], [7, 8, 9], [7], [5, 6, 7], [5, 6, 7], [6, 7]])
  }

  @Test func negativeIndicesTrap() async {
    await #expect(processExitsWith: .failure) { _ = Just(7).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(7).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(7).output(at: -1) }
  }
}

private func sum(_ first: Int, _ second: Int) throws -> Int {
  if second == 13 { throw TestError("thirteen") }
  return first + second
}

private func areEqual(_ first: Int, _ second: Int) throws -> Bool {
  if first == 13, second == 13 { throw TestError("thirteen") }
  return first == second
}
