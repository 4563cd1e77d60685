import Streams

/// Chains with all operators in one expression, with closures as people write them.
enum OneExpression {
  static func report() {
    Report.print("one expression, 5", attach: five)
    Report.print("one expression, 10", attach: ten)
    Report.print("one expression, 20", attach: twenty)
    Report.print("one expression, 20 of map and filter", attach: twentyOfMapAndFilter)
    Report.print("one expression, 20 maps", attach: twentyMaps)
    Report.print("one expression, 12 of flatMap", attach: twelveOfFlatMap)
    Report.print("one expression, 12 of switchToLatest", attach: twelveOfSwitchToLatest)
    Report.print("one expression, 12 that fail", attach: twelveThatFail)
    Report.print("one expression, 40 with types", attach: fortyWithTypes)
  }

  private static func five(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      .removeDuplicates()
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func ten(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    // region: ten
    numbers
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      .removeDuplicates()
      .flatMap { Just($0) }
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      // endregion: ten
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twenty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      .removeDuplicates()
      .flatMap { Just($0) }
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      .removeDuplicates()
      .flatMap { Just($0) }
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .scan(0) { $0 + $1 * 2 }
      .compactMap { $0.isMultiple(of: 5) ? nil : $0 }
      .removeDuplicates()
      .flatMap { Just($0) }
      .map { $0 + 1 }
      .filter { $0 % 7 != 0 }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twentyOfMapAndFilter(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .map { $0 + 1 }
      .filter { $0 % 17 != 0 }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twentyMaps(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .map { $0 + 1 }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twelveOfFlatMap(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .flatMap { Just($0) }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twelveOfSwitchToLatest(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .map { Just($0) }
      .switchToLatest()
      .map { Just($0) }
      .switchToLatest()
      .map { Just($0) }
      .switchToLatest()
      .map { Just($0) }
      .switchToLatest()
      .map { Just($0) }
      .switchToLatest()
      .map { Just($0) }
      .switchToLatest()
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twelveThatFail(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    numbers
      .tryMap { $0 + 1 }
      .tryFilter { $0 % 7 != 0 }
      .mapError { $0 as any Error }
      .catch { _ in Just(0) }
      .tryMap { $0 + 1 }
      .tryFilter { $0 % 7 != 0 }
      .mapError { $0 as any Error }
      .catch { _ in Just(0) }
      .tryMap { $0 + 1 }
      .tryFilter { $0 % 7 != 0 }
      .mapError { $0 as any Error }
      .catch { _ in Just(0) }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func fortyWithTypes(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    // region: types
    numbers
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      // endregion: types
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .removeDuplicates()
      .flatMap { (value: Int) in Just(value) }
      .map { (value: Int) in value + 1 }
      .filter { (value: Int) in value % 7 != 0 }
      .scan(0) { (sum: Int, value: Int) in sum + value }
      .compactMap { (value: Int) -> Int? in value % 5 == 0 ? nil : value }
      .sink(receiveCompletion: report.completion, receiveValue: report.value)
  }
}
