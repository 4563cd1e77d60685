import Streams
import TestSupport
import Testing

/// Tests behaviour that only this publisher has. Delivery is tested in `SingleValueSourceTests`.
@Suite struct ResultTests {
  typealias IntResult = Result<Int, TestError>
  typealias IntPublisher = IntResult.Publisher

  static let results: [IntResult] = [.success(7), .success(3), .failure("over")]

  @Test(arguments: results) func publishesAResult(result: IntResult) throws {
    expectEqual(result.publisher, IntPublisher(result))
    expectEqual(IntPublisher(result).result, result)
    expectEqual(
      [IntPublisher(7), IntPublisher("over")].map(\.result), [.success(7), .failure("over")])
    expectEqual(
      IntPublisher("over").history(demand: .none).events,
      [.subscription("Empty"), .failure("over")])
  }

  @Test(arguments: results) func operatorsGiveWhatThePlainOnesGive(result: IntResult) {
    let publisher = result.publisher
    let plain = publisher.eraseToAnyPublisher()
    expectResult(publisher.map { "\($0)" }, plain.map { "\($0)" })
    expectResult(
      publisher.mapError { TestError("not \($0)") }, plain.mapError { TestError("not \($0)") })
    expectResult(publisher.replaceError(with: 8), plain.replaceError(with: 8))
    expectResult(publisher.replaceEmpty(with: 8), plain.replaceEmpty(with: 8))
    expectResult(publisher.retry(3), plain.retry(3))
    expectResult(publisher.collect(), plain.collect())
    expectResult(publisher.count(), plain.count())
    expectResult(publisher.reduce(1, +), plain.reduce(1, +))
    expectResult(publisher.scan(1, +), plain.scan(1, +))
    expectResult(publisher.first(), plain.first())
    expectResult(publisher.last(), plain.last())
    expectResult(publisher.min(), plain.min())
    expectResult(publisher.max(), plain.max())
    expectResult(publisher.min(by: neverCalled), plain)
    expectResult(publisher.max(by: neverCalled), plain)
    expectResult(publisher.removeDuplicates(), plain.removeDuplicates())
    expectResult(publisher.removeDuplicates(by: neverCalled), plain)
    expectResult(publisher.contains(7), plain.contains(7))
    expectResult(publisher.contains(where: isLarge), plain.contains(where: isLarge))
    expectResult(publisher.allSatisfy(isLarge), plain.allSatisfy(isLarge))
    expectResult(publisher.tryMap(tenfold), plain.tryMap(tenfold))
    expectResult(publisher.tryReduce(1, sum), plain.tryReduce(1, sum))
    expectResult(publisher.tryScan(1, sum), plain.tryScan(1, sum))
    expectResult(publisher.tryContains(where: isSeventy), plain.tryContains(where: isSeventy))
    expectResult(publisher.tryAllSatisfy(isSeventy), plain.tryAllSatisfy(isSeventy))
    // These compare the value with itself, so they can throw.
    let compared = plain.tryMap { value in
      _ = try tenfold(value)
      return value
    }
    expectResult(publisher.tryMin(by: isLess), compared)
    expectResult(publisher.tryMax(by: isLess), compared)
    expectResult(publisher.tryRemoveDuplicates(by: isLess), compared)
    // As in Combine: the failure isn't output, but it's dropped too.
    expectEqual(publisher.ignoreOutput(), Empty())
    expectResult(
      Result<Int, Never>.Publisher(7).setFailureType(to: TestError.self), IntPublisher(7))
  }

  @Test func closuresRunAtOnceAndOnce() {
    let log = CallLog()
    func noted(_ value: Int) -> Bool {
      log.append("\(value)")
      return true
    }
    func notedPair(_ first: Int, _ second: Int) -> Bool {
      log.append("\(first) \(second)")
      return true
    }
    let answers: [Result<Bool, TestError>.Publisher] = [
      IntPublisher(1).map(noted), IntPublisher(2).contains(where: noted),
      IntPublisher(3).allSatisfy(noted),
    ]
    let results: [Result<Bool, any Error>.Publisher] = [
      IntPublisher(4).tryMap(noted), IntPublisher(5).tryContains(where: noted),
      IntPublisher(6).tryAllSatisfy(noted),
    ]
    let kept: [Result<Int, any Error>.Publisher] = [
      IntPublisher(7).tryMin(by: notedPair), IntPublisher(8).tryMax(by: notedPair),
    ]
    expectEqual(log.lines, ["1", "2", "3", "4", "5", "6", "7 7", "8 8"])
    expectEqual(answers.map { $0.history().values }, [[true], [true], [true]])
    expectEqual(results.map { $0.history().values }, [[true], [true], [true]])
    expectEqual(kept.map { $0.history().values }, [[7], [8]])
    expectEqual(log.lines.count, 8)
  }
}
