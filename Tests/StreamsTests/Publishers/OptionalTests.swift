import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
@Suite struct OptionalTests {
  typealias IntPublisher = Int?.Publisher

  @Test func publishesTheValueOfAnOptional() {
    expectEqual((7 as Int?).publisher, IntPublisher(7))
    expectEqual((nil as Int?).publisher, IntPublisher(nil))
    expectEqual(IntPublisher(7).output, 7)
    expectEqual(
      IntPublisher(nil).history(demand: .none).events, [.subscription("Empty"), .finished])
  }

  @Test(arguments: [7, 3, nil]) func operatorsGiveWhatThePlainOnesGive(value: Int?) {
    let optional = value.publisher
    let plain = optional.eraseToAnyPublisher()
    expectOptional(optional.map { "\($0)" }, plain.map { "\($0)" })
    expectOptional(optional.compactMap(tenfoldIfLarge), plain.compactMap(tenfoldIfLarge))
    expectOptional(optional.filter(isLarge), plain.filter(isLarge))
    expectOptional(optional.replaceError(with: 8), plain.replaceError(with: 8))
    expectOptional(optional.retry(3), plain.retry(3))
    expectOptional(optional.collect(), plain.collect())
    expectOptional(optional.scan(1, +), plain.scan(1, +))
    expectOptional(optional.first(), plain.first())
    expectOptional(optional.last(), plain.last())
    expectOptional(optional.min(), plain.min())
    expectOptional(optional.max(), plain.max())
    expectOptional(optional.min(by: neverCalled), plain)
    expectOptional(optional.max(by: neverCalled), plain)
    expectOptional(optional.removeDuplicates(), plain.removeDuplicates())
    expectOptional(optional.removeDuplicates(by: neverCalled), plain)
    expectOptional(optional.first(where: isLarge), plain.first(where: isLarge))
    expectOptional(optional.last(where: isLarge), plain.last(where: isLarge))
    expectOptional(optional.prefix(while: isLarge), plain.prefix(while: isLarge))
    expectOptional(optional.drop(while: isLarge), plain.drop(while: isLarge))
    expectOptional(optional.dropFirst(), plain.dropFirst())
    for count in [0, 1, 9] {
      expectOptional(optional.prefix(count), plain.prefix(count))
      expectOptional(optional.dropFirst(count), plain.dropFirst(count))
      expectOptional(optional.output(at: count), plain.output(at: count))
      expectOptional(optional.output(in: count...), plain.output(in: count...))
      expectOptional(optional.output(in: ..<count), plain.output(in: ..<count))
    }
    expectJust(optional.replaceEmpty(with: 8), plain.replaceEmpty(with: 8))
    expectEqual(optional.ignoreOutput(), Empty())
  }

  /// The plain operators answer 0, 1, `false` and `true` here. Combine's special forms don't.
  @Test(arguments: [7, 3, nil]) func withoutAValueThereIsNoAnswer(value: Int?) {
    let optional = value.publisher
    let plain = optional.eraseToAnyPublisher()
    expectOptional(optional.count(), plain.map { _ in 1 })
    expectOptional(optional.reduce(1, +), plain.map { $0 + 1 })
    expectOptional(optional.contains(7), plain.map { $0 == 7 })
    expectOptional(optional.contains(where: isLarge), plain.map(isLarge))
    expectOptional(optional.allSatisfy(isLarge), plain.map(isLarge))
    // Combine has no special form of these.
    let contains: Publishers.TryContainsWhere<IntPublisher> = optional.tryContains { $0 > 5 }
    let all: Publishers.TryAllSatisfy<IntPublisher> = optional.tryAllSatisfy { $0 > 5 }
    expectEqual(contains.history().values, [value == 7])
    expectEqual(all.history().values, [value != 3])
  }

  @Test(arguments: [7, nil]) func closuresRunAtOnceAndOnce(value: Int?) {
    let log = CallLog()
    func noted(_ name: String) -> (Int) -> Bool {
      { value in
        log.append("\(name) \(value)")
        return true
      }
    }
    let publishers: [Bool?.Publisher] = [
      value.publisher.map(noted("map")), value.publisher.contains(where: noted("contains")),
      value.publisher.allSatisfy(noted("allSatisfy")),
    ]
    let kept: [IntPublisher] = [
      value.publisher.filter(noted("filter")),
      value.publisher.compactMap { noted("compactMap")($0) ? $0 : nil },
    ]
    let names = ["map", "contains", "allSatisfy", "filter", "compactMap"]
    expectEqual(log.lines, value == nil ? [] : names.map { "\($0) 7" })
    expectEqual(publishers.map(\.output), Array(repeating: value.map { _ in true }, count: 3))
    expectEqual(
      kept.map { $0.history().values }, Array(repeating: value.map { [$0] } ?? [], count: 2))
    expectEqual(log.lines, value == nil ? [] : names.map { "\($0) 7" })
  }

  @Test func negativeIndicesTrap() async throws {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.dropFirst(-1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.prefix(-1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.output(at: -1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Int?.none.publisher.output(in: -1...4)
      },
    ]
    let messages = [
      "dropFirst: the count can't be negative: -1", "prefix: the length can't be negative: -1",
      "output(at:): the index can't be negative: -1",
      "output(in:): the bounds can't be negative: -1..<5",
    ]
    for (result, message) in zip(results, messages) {
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains(message))
    }
  }
}
