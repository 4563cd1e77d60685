import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
@Suite struct JustTests {
  @Test(arguments: [7, 3]) func operatorsGiveWhatThePlainOnesGive(value: Int) {
    let just = Just(value)
    let plain = just.eraseToAnyPublisher()
    expectEqual(just.output, value)
    expectJust(just.map { "\($0)" }, plain.map { "\($0)" })
    expectJust(just.replaceError(with: 8), plain.replaceError(with: 8))
    expectJust(just.replaceEmpty(with: 8), plain.replaceEmpty(with: 8))
    expectJust(just.retry(3), plain.retry(3))
    expectJust(just.collect(), plain.collect())
    expectJust(just.count(), plain.count())
    expectJust(just.first(), plain.first())
    expectJust(just.last(), plain.last())
    expectJust(just.min(), plain.min())
    expectJust(just.max(), plain.max())
    expectJust(just.min(by: neverCalled), plain)
    expectJust(just.max(by: neverCalled), plain)
    expectJust(just.removeDuplicates(), plain.removeDuplicates())
    expectJust(just.removeDuplicates(by: neverCalled), plain)
    expectJust(just.contains(7), plain.contains(7))
    expectJust(just.contains(where: isLarge), plain.contains(where: isLarge))
    expectJust(just.allSatisfy(isLarge), plain.allSatisfy(isLarge))
    expectEqual(just.ignoreOutput(), Empty())
  }

  @Test(arguments: [7, 3]) func operatorsThatMayDropTheValueReturnAnOptional(value: Int) {
    let just = Just(value)
    let plain = just.eraseToAnyPublisher()
    expectOptional(just.compactMap(tenfoldIfLarge), plain.compactMap(tenfoldIfLarge))
    expectOptional(just.filter(isLarge), plain.filter(isLarge))
    expectOptional(just.first(where: isLarge), plain.first(where: isLarge))
    expectOptional(just.last(where: isLarge), plain.last(where: isLarge))
    expectOptional(just.prefix(while: isLarge), plain.prefix(while: isLarge))
    expectOptional(just.drop(while: isLarge), plain.drop(while: isLarge))
    expectOptional(just.dropFirst(), plain.dropFirst())
    for count in [0, 1, 9] {
      expectOptional(just.prefix(count), plain.prefix(count))
      expectOptional(just.dropFirst(count), plain.dropFirst(count))
      expectOptional(just.output(at: count), plain.output(at: count))
      expectOptional(just.output(in: count...), plain.output(in: count...))
      expectOptional(just.output(in: ..<count), plain.output(in: ..<count))
    }
    // Combine's form is made for negative indices, too.
    expectOptional(just.output(in: -10..<10), Empty())
    expectOptional(just.output(in: (-1)...), Empty())
  }

  @Test(arguments: [7, 3]) func operatorsThatMayFailReturnAResult(value: Int) {
    let just = Just(value)
    let plain = just.eraseToAnyPublisher()
    expectResult(just.tryMap(tenfold), plain.tryMap(tenfold))
    expectResult(just.reduce(1, +), plain.reduce(1, +))
    expectResult(just.scan(1, +), plain.scan(1, +))
    expectResult(just.tryReduce(1, sum), plain.tryReduce(1, sum))
    expectResult(just.tryScan(1, sum), plain.tryScan(1, sum))
    expectResult(just.tryContains(where: isSeventy), plain.tryContains(where: isSeventy))
    expectResult(just.tryAllSatisfy(isSeventy), plain.tryAllSatisfy(isSeventy))
    // It compares the value with itself, so it can throw.
    expectResult(
      just.tryRemoveDuplicates(by: isLess),
      plain.tryMap {
        _ = try tenfold($0); return $0
      })
    expectResult(
      just.mapError { _ in TestError("never") }, plain.mapError { _ in TestError("never") })
    expectResult(
      just.setFailureType(to: TestError.self), plain.setFailureType(to: TestError.self))
  }

  @Test func joiningMakesASequence() {
    let just = Just(7)
    let plain = just.eraseToAnyPublisher()
    expectSequence(just.append(8, 9), plain.append(8, 9))
    expectSequence(just.append(8...9), plain.append(8...9))
    expectSequence(just.append(), plain)
    expectSequence(just.prepend(5, 6), plain.prepend(5, 6))
    expectSequence(just.prepend(5...6), plain.prepend(5...6))
    expectSequence(just.prepend(Set([6])), plain.prepend(6))
  }

  @Test func closuresRunAtOnceAndOnce() {
    let log = CallLog()
    func noted(_ value: Int) -> Bool {
      log.append("\(value)")
      return true
    }
    let mapped: Just<Bool> = Just(1).map(noted)
    let others: [Just<Bool>] = [Just(2).contains(where: noted), Just(3).allSatisfy(noted)]
    let results: [Result<Bool, any Error>.Publisher] = [
      Just(4).tryMap(noted), Just(5).tryContains(where: noted), Just(6).tryAllSatisfy(noted),
    ]
    expectEqual(log.lines, ["1", "2", "3", "4", "5", "6"])
    expectEqual(([mapped] + others).map { $0.history().values }, [[true], [true], [true]])
    expectEqual(results.map { $0.history().values }, [[true], [true], [true]])
    expectEqual(log.lines, ["1", "2", "3", "4", "5", "6"])
  }

  /// Combine has no special form of these.
  @Test func otherOperatorsWorkOnDemand() {
    let least: Publishers.TryComparison<Just<Int>> = Just(7).tryMin { _, _ in true }
    let greatest: Publishers.TryComparison<Just<Int>> = Just(7).tryMax { _, _ in true }
    let number: Publishers.Map<Just<Int?>, Int> = Just(nil).replaceNil(with: 8)
    expectEqual([least.history().values, greatest.history().values], [[7], [7]])
    expectEqual(number.history().values, [8])
  }

  @Test func negativeIndicesTrap() async {
    await #expect(processExitsWith: .failure) { _ = Just(7).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(7).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(7).output(at: -1) }
  }
}
