import Streams
import StreamsExtras
import TestSupport
import VirtualTime

extension Operation {
  /// All operators. A new one joins with one line.
  static let all =
    mapping + extras + debugging + filtering + selecting + reducing + errors + combining + sharing
    + scheduling + timing + buffering + coding

  private static let mapping = [
    Operation("map", "10 20 30 40 50 |", "10 20 30 x", .stateless, from: "1 2 3 4 5") {
      $0.map($1 { $0.value * 10 })
    },
    Operation("map(keyPath)", "1 2 3 4 5 |", "1 2 3 x", .stateless) { $0.map(\.self) },
    Operation("mapError", "1 2 3 4 5 |", "1 2 3 x", .stateless) { $0.mapError($1 { $0 }) },
    Operation("setFailureType", "1 2 3 4 5 |", "", [.stateless, .trapsOnFailure]) {
      $0.assertNoFailure().setFailureType(to: TestError.self)
    },
    Operation("scan", "1 3 6 10 15 |", "1 3 6 x", .stateless, from: "1 12 123 1234 12345") {
      $0.scan(0, $1 { $0 + $1.value })
    },
    Operation("tryMap", "10 20 30 40 50 |", "10 20 30 x", .early, from: "1 2 3 4 5") {
      $0.tryMap($1 { $0.value * 10 })
    },
    Operation("tryScan", "1 3 6 10 15 |", "1 3 6 x", .early, from: "1 12 123 1234 12345") {
      $0.tryScan(0, $1 { $0 + $1.value })
    },
    Operation("replaceNil", "0 2 0 4 0 |", "0 2 0 x", .stateless, from: "1 2 3 4 5") {
      $0.map { $0.isMultiple(of: 2) ? $0 : nil }.replaceNil(with: 0)
    },
    Operation("tryMap that throws", "1 2 3 x", "1 2 3 x", .early) {
      $0.tryMap { if $0 > 3 { throw TestError("4") } else { $0 } }
    },
  ]

  private static let debugging = [
    Operation("print", "1 2 3 4 5 |", "1 2 3 x", [.early, .early, .late]) {
      $0.print(to: Nowhere())
    },
    Operation("handleEvents", "1 2 3 4 5 |", "1 2 3 x", [.early, .late]) {
      $0.handleEvents(receiveOutput: $1 { _ in })
    },
    Operation("breakpoint", "1 2 3 4 5 |", "1 2 3 x", .stateless) {
      $0.breakpoint(receiveOutput: $1 { _ in false })
    },
  ]

  // Operators that Combine doesn't have.
  private static let extras = [
    Operation(
      "pairwise", "1,2 2,3 3,4 4,5 |", "1,2 2,3 x", [.early, .remembers], keeps: "1 2",
      from: "12 23 34 45"
    ) {
      $0.pairwise().map { "\($0.previous),\($0.current)" }
    }
  ]

  private static let filtering = [
    // region: filter
    Operation("filter", "2 4 |", "2 x", .early) { $0.filter($1 { $0.isMultiple(of: 2) }) },
    // endregion
    Operation("compactMap", "2 4 |", "2 x", .early) {
      $0.compactMap($1 { $0.isMultiple(of: 2) ? $0 : nil })
    },
    Operation("removeDuplicates", "1 2 4 |", "1 2 x", [.early, .remembers], keeps: "2") {
      $0.removeDuplicates(by: $1 { $0.value / 2 == $1.value / 2 })
    },
    Operation("tryFilter", "2 4 |", "2 x", .early) { $0.tryFilter($1 { $0.isMultiple(of: 2) }) },
    Operation("tryCompactMap", "2 4 |", "2 x", .early) {
      $0.tryCompactMap($1 { $0.isMultiple(of: 2) ? $0 : nil })
    },
    Operation("tryRemoveDuplicates", "1 2 4 |", "1 2 x", [.early, .remembers], keeps: "2") {
      $0.tryRemoveDuplicates(by: $1 { $0.value / 2 == $1.value / 2 })
    },
    Operation("replaceEmpty", "1 2 3 4 5 |", "1 2 3 x", .ignoresDemand) {
      $0.replaceEmpty(with: 9)
    },
    Operation("replaceEmpty of nothing", "9 |", "x", from: "<|") {
      $0.last { _ in false }.replaceEmpty(with: 9)
    },
  ]

  private static let selecting = [
    Operation("prefix", "1 2 |", "1 2 |", .early) { $0.prefix(2) },
    Operation("output(at:)", "2 |", "2 |", .early) { $0.output(at: 1) },
    Operation("output(in:)", "2 3 4 |", "2 3 x", .early) { $0.output(in: 1...3) },
    Operation("prefix(while:)", "1 2 |", "1 2 |", .early) { $0.prefix(while: $1 { $0 < 3 }) },
    Operation("tryPrefix(while:)", "1 2 |", "1 2 |", .early) { $0.tryPrefix(while: $1 { $0 < 3 }) },
    Operation("prefix(untilOutputFrom:)", "1 2 3 4 5 |", "1 2 3 x", .outlivesItsEnds) {
      $0.prefix(untilOutputFrom: PassthroughSubject<Int, Never>())
    },
    Operation("dropFirst", "3 4 5 |", "3 x", .early) { $0.dropFirst(2) },
    Operation("drop(while:)", "3 4 5 |", "3 x", .early) { $0.drop(while: $1 { $0 < 3 }) },
    Operation("tryDrop(while:)", "3 4 5 |", "3 x", .early) { $0.tryDrop(while: $1 { $0 < 3 }) },
    Operation("drop(untilOutputFrom:)", "1 2 3 4 5 |", "1 2 3 x", .early) {
      $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self))
    },
    Operation("first", "1 |", "1 |") { $0.first() },
    Operation("first(where:)", "2 |", "2 |") { $0.first(where: $1 { $0 > 1 }) },
    Operation("tryFirst(where:)", "2 |", "2 |") { $0.tryFirst(where: $1 { $0 > 1 }) },
    Operation("last", "5 |", "x", .remembers, keeps: "2", from: "5<|") { $0.last() },
    Operation("last(where:)", "3 |", "x", .remembers, keeps: "2", from: "3<|") {
      $0.last(where: $1 { $0 < 4 })
    },
    Operation("tryLast(where:)", "3 |", "x", .remembers, keeps: "2", from: "3<|") {
      $0.tryLast(where: $1 { $0 < 4 })
    },
  ]

  private static let reducing = [
    Operation("collect", "[1,2,3,4,5] |", "x", .remembers, keeps: "1 2", from: "12345<|") {
      $0.collect()
    },
    Operation(
      "collect(2)", "[1,2] [3,4] [5] |", "[1,2] x", [.earlyEnd, .sendsWithoutDemand, .remembers],
      from: "12 34 5<|"
    ) {
      $0.collect(2)
    },
    Operation("count", "5 |", "x", from: "12345<|") { $0.count() },
    Operation("ignoreOutput", "|", "x", [.earlyEnd, .endsWithoutDemand]) { $0.ignoreOutput() },
    Operation("reduce", "15 |", "x", from: "12345<|") { $0.reduce(0, $1 { $0 + $1.value }) },
    Operation("tryReduce", "15 |", "x", from: "12345<|") { $0.tryReduce(0, $1 { $0 + $1.value }) },
    Operation("contains", "true |", "true |", from: "2") { $0.contains(2) },
    Operation("contains of nothing", "false |", "x", from: "12345<|") { $0.contains(9) },
    Operation("contains(where:)", "true |", "true |", from: "2") {
      $0.contains(where: $1 { $0 > 1 })
    },
    Operation("tryContains(where:)", "true |", "x", from: "4") {
      $0.tryContains(where: $1 { $0 > 3 })
    },
    Operation("allSatisfy", "false |", "false |", from: "2") { $0.allSatisfy($1 { $0 < 2 }) },
    Operation("allSatisfy of all", "true |", "x", from: "12345<|") { $0.allSatisfy($1 { $0 < 9 }) },
    Operation("tryAllSatisfy", "false |", "x", from: "4") { $0.tryAllSatisfy($1 { $0 < 4 }) },
    Operation("min", "1 |", "x", .remembers, keeps: "1", from: "1<|") { $0.min() },
    Operation("max", "5 |", "x", .remembers, keeps: "2", from: "5<|") { $0.max() },
    Operation("min(by:)", "3 |", "x", .remembers, keeps: "2", from: "3<|") {
      $0.min(by: $1(isCloserToThree))
    },
    Operation("max(by:)", "1 |", "x", .remembers, keeps: "1", from: "1<|") {
      $0.max(by: $1(isCloserToThree))
    },
    Operation("tryMin(by:)", "3 |", "x", .remembers, keeps: "2", from: "3<|") {
      $0.tryMin(by: $1(isCloserToThree))
    },
    Operation("tryMax(by:)", "1 |", "x", .remembers, keeps: "1", from: "1<|") {
      $0.tryMax(by: $1(isCloserToThree))
    },
  ]

  private static let errors = [
    Operation("assertNoFailure", "1 2 3 4 5 |", "", [.stateless, .trapsOnFailure]) {
      $0.assertNoFailure()
    },
    Operation("catch", "1 2 3 4 5 |", "1 2 3 9 |") {
      $0.catch($1 { _ in Just<Number>(9).setFailureType(to: TestError.self) })
    },
    Operation("tryCatch", "1 2 3 4 5 |", "1 2 3 9 |") {
      $0.tryCatch($1 { _ in Just<Number>(9).setFailureType(to: TestError.self) })
    },
    Operation("replaceError", "1 2 3 4 5 |", "1 2 3 9 |") { $0.replaceError(with: 9) },
    Operation("retry", "1 2 3 4 5 |", "1 2 3 x") { $0.retry(0) },
  ]

  private static let combining = [
    Operation(
      "flatMap, upstream", "1 1 2 2 3 3 4 4 5 5 |", "1 1 2 2 3 3 x", [.early, .reorders, .letsGo]
    ) {
      $0.flatMap($1 { [$0, $0].publisher.setFailureType(to: TestError.self) })
    },
    Operation("flatMap, child", "1 2 3 4 5 |", "1 2 3 x", [.early, .letsGo]) { source in
      Just(1).setFailureType(to: TestError.self).flatMap { _ in source }
    },
    Operation("flatMap(maxPublishers: 1)", "1 2 3 4 5 |", "1 2 3 x", [.early, .letsGo]) {
      $0.flatMap(maxPublishers: .max(1), $1 { Just($0).setFailureType(to: TestError.self) })
    },
    Operation(
      "switchToLatest, upstream", "1 2 3 4 5 |", "1 2 3 x", [.early, .losesWithoutDemand, .letsGo]
    ) {
      $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest()
    },
    Operation("switchToLatest, newest", "1 2 3 4 5 |", "1 2 3 x", [.early, .letsGo]) { source in
      Just(source).setFailureType(to: TestError.self).switchToLatest()
    },
    Operation("append", "1 2 3 4 5 9 |", "1 2 3 x", from: "1 2 3 4 5 <|") { $0.append(9) },
    Operation("prepend", "1 2 3 4 5 |", "1 2 3 x") { $0.prepend(Empty<Number, TestError>()) },
    Operation("merge", "1 2 3 4 5 |", "1 2 3 x", [.early, .letsGo]) {
      $0.merge(with: Empty<Number, TestError>())
    },
    Operation(
      "zip", "(1,1) (2,2) (3,3) (4,4) (5,5) |", "(1,1) (2,2) (3,3) x", .letsGo, from: "1 2 3 4 5"
    ) {
      $0.zip((1...9).publisher.setFailureType(to: TestError.self))
    },
    Operation(
      "combineLatest", "(0,1) (0,2) (0,3) (0,4) (0,5) |", "(0,1) (0,2) (0,3) x",
      [.losesWithoutDemand, .reorders, .letsGo], keeps: "2", from: "1 2 3 4 5"
    ) {
      Just(0).setFailureType(to: TestError.self).combineLatest($0)
    },
  ]

  private static let sharing = [
    Operation(
      "share", "1 2 3 4 5 |", "1 2 3 x", [.shares, .losesWithoutDemand, .letsGo, .outlivesItsEnds]
    ) {
      $0.share()
    },
    Operation(
      "multicast, autoconnect", "1 2 3 4 5 |", "1 2 3 x",
      [.shares, .losesWithoutDemand, .letsGo, .outlivesItsEnds]
    ) {
      $0.multicast(subject: PassthroughSubject()).autoconnect()
    },
  ]

  private static let scheduling = [
    Operation("receive(on:)", "1 2 3 4 5 |", "1 2 3 x", [.endsAfterCancel, .letsGo]) {
      $0.receive(on: $1.clock)
    },
    Operation("receive(on: immediate)", "1 2 3 4 5 |", "1 2 3 x", [.letsGo]) {
      $0.receive(on: ImmediateScheduler.shared)
    },
    Operation("subscribe(on:)", "1 2 3 4 5 |", "1 2 3 x") {
      $0.subscribe(on: ImmediateScheduler.shared)
    },
  ]

  private static let timing = [
    Operation("delay", "1 2 3 4 5 |", "1 2 3 x", [.endsAfterCancel, .letsGo]) {
      $0.delay(for: .seconds(1), scheduler: $1.clock)
    },
    Operation(
      "debounce", "1 2 3 4 5 |", "1 2 3 x",
      [.losesWithoutDemand, .endsWithoutDemand, .dropsBursts, .reorders, .letsGo]
    ) {
      $0.debounce(for: .seconds(1), scheduler: $1.clock)
    },
    Operation("timeout", "1 2 3 4 5 |", "1 2 3 x", [.letsGo, .outlivesItsEnds]) {
      $0.timeout(.seconds(100_000), scheduler: $1.clock)
    },
    Operation(
      "throttle", "1 2 3 4 5 |", "1 2 3 x",
      [.losesWithoutDemand, .endsWithoutDemand, .dropsBursts, .reorders, .letsGo]
    ) {
      $0.throttle(for: .seconds(1), scheduler: $1.clock, latest: true)
    },
    Operation(
      "collect(.byTime)", "[1,2,3,4,5] |", "x", [.sendsWithoutDemand, .letsGo], keeps: "1 2",
      from: "12345<|"
    ) {
      $0.collect(.byTime($1.clock, .seconds(100_000)))
    },
    Operation(
      "collect(.byTimeOrCount)", "[1,2] [3,4] [5] |", "[1,2] x", [.sendsWithoutDemand, .letsGo],
      from: "12 34 5<|"
    ) {
      $0.collect(.byTimeOrCount($1.clock, .seconds(100_000), 2))
    },
    Operation("measureInterval", "0 0 0 0 0 |", "0 0 0 x", from: "1 2 3 4 5") {
      $0.measureInterval(using: ImmediateScheduler.shared).map(\.magnitude)
    },
  ]

  private static let buffering = [
    Operation("buffer that keeps full", "1 2 3 4 5 |", "1 2 3 x", .letsGo) {
      $0.buffer(size: 2, prefetch: .keepFull, whenFull: .customError { "full" })
    },
    Operation("buffer of all values", "1 2 3 4 5 |", "1 2 3 x", .letsGo) {
      $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
    },
  ]

  private static let coding = [
    Operation("encode", "1 2 3 4 5 |", "1 2 3 x", .early) { $0.encode(encoder: Same()) },
    Operation("decode", "1 2 3 4 5 |", "1 2 3 x", .early) {
      $0.decode(type: Number.self, decoder: Same())
    },
  ]
}

private func isCloserToThree(_ first: Number, _ second: Number) -> Bool {
  abs(first.value - 3) < abs(second.value - 3)
}

/// A coder that encodes and decodes a number as itself.
private struct Same: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Number { value as? Number ?? 0 }

  func decode<T: Decodable>(_ type: T.Type, from input: Number) throws -> T {
    guard let output = input as? T else { throw TestError("no \(type)") }
    return output
  }
}

private struct Nowhere: TextOutputStream {
  func write(_ string: String) {}
}
