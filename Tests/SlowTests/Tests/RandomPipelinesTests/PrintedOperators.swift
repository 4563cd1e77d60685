import Streams
import TestSupport
import VirtualTime

// Printed by PrintedOperatorsTests.

func printedOperator(
  _ name: String, _ upstream: PassthroughSubject<Int, TestError>, _ clock: VirtualTimeScheduler
) -> AnyPublisher<Int, TestError>? {
  switch name {
  case "map":
    return
      upstream
      .map { $0 &+ 2 }
      .eraseToAnyPublisher()
  case "map(key path)":
    return
      upstream
      .map(\.nonzeroBitCount)
      .eraseToAnyPublisher()
  case "tryMap":
    return
      upstream
      .tryMap { try reject($0, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "mapError":
    return
      upstream
      .mapError { TestError("mapped \($0)") }
      .eraseToAnyPublisher()
  case "scan":
    return
      upstream
      .scan(1) { $0 &+ $1 }
      .eraseToAnyPublisher()
  case "tryScan":
    return
      upstream
      .tryScan(0) { try $0 &+ reject($1, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "encode and decode":
    return
      upstream
      .encode(encoder: TextCoder()).decode(type: Int.self, decoder: TextCoder()).mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case "handleEvents":
    return
      upstream
      .handleEvents(receiveOutput: { _ in })
      .eraseToAnyPublisher()
  case "replaceNil":
    return
      upstream
      .map { $0.isMultiple(of: 3) ? nil : $0 }.replaceNil(with: 9)
      .eraseToAnyPublisher()
  case "breakpoint":
    return
      upstream
      .breakpoint(receiveOutput: { _ in false })
      .eraseToAnyPublisher()
  case "print":
    return
      upstream
      .print(to: Silence())
      .eraseToAnyPublisher()
  case "filter":
    return
      upstream
      .filter { !$0.isMultiple(of: 3) }
      .eraseToAnyPublisher()
  case "tryFilter":
    return
      upstream
      .tryFilter { try reject($0, multiplesOf: 3) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "compactMap":
    return
      upstream
      .compactMap { $0.isMultiple(of: 3) ? nil : $0 &+ 1 }
      .eraseToAnyPublisher()
  case "tryCompactMap":
    return
      upstream
      .tryCompactMap { try reject($0, multiplesOf: 3) > 2 ? $0 : nil }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "removeDuplicates":
    return
      upstream
      .removeDuplicates()
      .eraseToAnyPublisher()
  case "removeDuplicates(by:)":
    return
      upstream
      .removeDuplicates { $0 % 3 == $1 % 3 }
      .eraseToAnyPublisher()
  case "tryRemoveDuplicates":
    return
      upstream
      .tryRemoveDuplicates { try $0 == reject($1, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "prefix":
    return
      upstream
      .prefix(1)
      .eraseToAnyPublisher()
  case "output(at:)":
    return
      upstream
      .output(at: 1)
      .eraseToAnyPublisher()
  case "output(in:)":
    return
      upstream
      .output(in: 1..<2)
      .eraseToAnyPublisher()
  case "drop(while:)":
    return
      upstream
      .drop { $0 < 3 }
      .eraseToAnyPublisher()
  case "tryDrop(while:)":
    return
      upstream
      .tryDrop { try reject($0, multiplesOf: 3) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "prefix(while:)":
    return
      upstream
      .prefix { $0 < 2 }
      .eraseToAnyPublisher()
  case "tryPrefix(while:)":
    return
      upstream
      .tryPrefix { try reject($0, multiplesOf: 3) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "reduce":
    return
      upstream
      .reduce(1) { 31 &* $0 &+ $1 }
      .eraseToAnyPublisher()
  case "tryReduce":
    return
      upstream
      .tryReduce(0) { try $0 &+ reject($1, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "collect":
    return
      upstream
      .collect().map { $0.digest }
      .eraseToAnyPublisher()
  case "count":
    return
      upstream
      .count()
      .eraseToAnyPublisher()
  case "ignoreOutput":
    return
      upstream
      .ignoreOutput().map { _ -> Int in }
      .eraseToAnyPublisher()
  case "first":
    return
      upstream
      .first()
      .eraseToAnyPublisher()
  case "first(where:)":
    return
      upstream
      .first { $0 > 2 }
      .eraseToAnyPublisher()
  case "tryFirst(where:)":
    return
      upstream
      .tryFirst { try reject($0, multiplesOf: 3) > 3 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "last":
    return
      upstream
      .last()
      .eraseToAnyPublisher()
  case "last(where:)":
    return
      upstream
      .last { $0 < 2 }
      .eraseToAnyPublisher()
  case "tryLast(where:)":
    return
      upstream
      .tryLast { try reject($0, multiplesOf: 3) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "contains":
    return
      upstream
      .contains(1).map { $0 ? 1 : 0 }
      .eraseToAnyPublisher()
  case "contains(where:)":
    return
      upstream
      .contains { $0 > 2 }.map { $0 ? 1 : 0 }
      .eraseToAnyPublisher()
  case "tryContains(where:)":
    return
      upstream
      .tryContains { try reject($0, multiplesOf: 3) > 3 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case "allSatisfy":
    return
      upstream
      .allSatisfy { $0 < 2 }.map { $0 ? 1 : 0 }
      .eraseToAnyPublisher()
  case "tryAllSatisfy":
    return
      upstream
      .tryAllSatisfy { try reject($0, multiplesOf: 3) < 4 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case "min":
    return
      upstream
      .min()
      .eraseToAnyPublisher()
  case "max":
    return
      upstream
      .max()
      .eraseToAnyPublisher()
  case "min(by:)":
    return
      upstream
      .min { $0 % 3 < $1 % 3 }
      .eraseToAnyPublisher()
  case "max(by:)":
    return
      upstream
      .max { $0 % 3 < $1 % 3 }
      .eraseToAnyPublisher()
  case "tryMin(by:)":
    return
      upstream
      .tryMin { try reject($0, multiplesOf: 3) < reject($1, multiplesOf: 3) }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case "tryMax(by:)":
    return
      upstream
      .tryMax { try reject($0, multiplesOf: 3) < reject($1, multiplesOf: 3) }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case "catch":
    return
      upstream
      .catch { _ in
        Just(1).setFailureType(to: TestError.self)
      }
      .eraseToAnyPublisher()
  case "tryCatch":
    return
      upstream
      .tryCatch {
        if $0 == "lost" { throw TestError("thrown") }
        return Just(1).setFailureType(to: TestError.self)
      }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case "retry":
    return
      upstream
      .retry(1)
      .eraseToAnyPublisher()
  case "replaceError":
    return
      upstream
      .replaceError(with: 2).setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case "append":
    return
      upstream
      .append(
        Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "append(values)":
    return
      upstream
      .append(2, 0)
      .eraseToAnyPublisher()
  case "prepend":
    return
      upstream
      .prepend(
        Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "prepend(values)":
    return
      upstream
      .prepend(2, 0)
      .eraseToAnyPublisher()
  case "merge":
    return
      upstream
      .merge(
        with: Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "merge(many)":
    return
      upstream
      .eraseToAnyPublisher()
      .merge(
        with: Just(1).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(0).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(1).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
  case "merge(2 to 8)":
    return
      upstream
      .merge(
        with: Just(1).setFailureType(to: TestError.self),
        Just(0).setFailureType(to: TestError.self),
        Just(1).setFailureType(to: TestError.self),
        Just(2).setFailureType(to: TestError.self),
        Just(3).setFailureType(to: TestError.self),
        Just(4).setFailureType(to: TestError.self),
        Just(5).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "combineLatest":
    return
      upstream
      .combineLatest(
        Just(1).setFailureType(to: TestError.self)
      ) { 31 &* $0 &+ $1 }
      .eraseToAnyPublisher()
  case "combineLatest(3 or 4)":
    return
      upstream
      .combineLatest(
        Just(1).setFailureType(to: TestError.self),
        Just(0).setFailureType(to: TestError.self),
        Just(1).setFailureType(to: TestError.self)
      ) { [$0, $1, $2, $3].digest }
      .eraseToAnyPublisher()
  case "zip":
    return
      upstream
      .zip(
        Just(1).setFailureType(to: TestError.self)
      ) { 31 &* $0 &+ $1 }
      .eraseToAnyPublisher()
  case "zip(3 or 4)":
    return
      upstream
      .zip(
        Just(1).setFailureType(to: TestError.self),
        Just(0).setFailureType(to: TestError.self),
        Just(1).setFailureType(to: TestError.self)
      ) { [$0, $1, $2, $3].digest }
      .eraseToAnyPublisher()
  case "flatMap":
    return
      upstream
      .flatMap { value in
        Just(1).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case "flatMap(maxPublishers:)":
    return
      upstream
      .flatMap(maxPublishers: .max(2)) { value in
        Just(1).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case "switchToLatest":
    return
      upstream
      .map { value in
        Just(1).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .switchToLatest()
      .eraseToAnyPublisher()
  case "prefix(untilOutputFrom:)":
    return
      upstream
      .prefix(
        untilOutputFrom: Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "drop(untilOutputFrom:)":
    return
      upstream
      .drop(
        untilOutputFrom: Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case "delay":
    return
      upstream
      .delay(for: .milliseconds(5), scheduler: clock)
      .eraseToAnyPublisher()
  case "receive(on:)":
    return
      upstream
      .receive(on: clock)
      .eraseToAnyPublisher()
  case "subscribe(on:)":
    return
      upstream
      .subscribe(on: clock)
      .eraseToAnyPublisher()
  case "debounce":
    return
      upstream
      .debounce(for: .milliseconds(5), scheduler: clock)
      .eraseToAnyPublisher()
  case "throttle(latest: true)":
    return
      upstream
      .throttle(for: .milliseconds(5), scheduler: clock, latest: true)
      .eraseToAnyPublisher()
  case "throttle(latest: false)":
    return
      upstream
      .throttle(for: .milliseconds(5), scheduler: clock, latest: false)
      .eraseToAnyPublisher()
  case "measureInterval":
    return
      upstream
      .measureInterval(using: clock).map { Int($0.nanoseconds / 1_000_000) }
      .eraseToAnyPublisher()
  case "collect(byTime)":
    return
      upstream
      .collect(.byTime(clock, .milliseconds(10))).map { $0.digest }
      .eraseToAnyPublisher()
  case "collect(byTimeOrCount)":
    return
      upstream
      .collect(.byTimeOrCount(clock, .milliseconds(10), 2)).map { $0.digest }
      .eraseToAnyPublisher()
  case "timeout":
    return
      upstream
      .timeout(.milliseconds(10), scheduler: clock)
      .eraseToAnyPublisher()
  case "timeout(customError:)":
    return
      upstream
      .timeout(.milliseconds(10), scheduler: clock, customError: { "late" })
      .eraseToAnyPublisher()
  case "share":
    return
      upstream
      .share()
      .eraseToAnyPublisher()
  case "multicast":
    return
      upstream
      .multicast { PassthroughSubject() }.autoconnect()
      .eraseToAnyPublisher()
  case "multicast(subject:)":
    return
      upstream
      .multicast(subject: CurrentValueSubject(1)).autoconnect()
      .eraseToAnyPublisher()
  case "replaceEmpty":
    return
      upstream
      .replaceEmpty(with: 8)
      .eraseToAnyPublisher()
  case "dropFirst":
    return
      upstream
      .dropFirst(1)
      .eraseToAnyPublisher()
  case "collect(_:)":
    return
      upstream
      .collect(2).map { $0.digest }
      .eraseToAnyPublisher()
  case "buffer(.byRequest, .dropOldest)":
    return
      upstream
      .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
      .eraseToAnyPublisher()
  case "buffer(.byRequest, .dropNewest)":
    return
      upstream
      .buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .eraseToAnyPublisher()
  case "buffer(.byRequest, .customError { \"full\" })":
    return
      upstream
      .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { "full" })
      .eraseToAnyPublisher()
  case "buffer(.keepFull, .dropOldest)":
    return
      upstream
      .buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
      .eraseToAnyPublisher()
  default:
    return nil
  }
}
