import Streams

/// Parts of a chain in properties and functions with opaque types, as in an app's code.
enum OpaqueTypes {
  static func report() {
    Report.print("opaque types, 5") { numbers, report in
      Stages(numbers).five
        .sink(receiveCompletion: report.completion, receiveValue: report.value)
    }
    Report.print("opaque types, 10") { numbers, report in
      Stages(numbers).ten
        .sink(receiveCompletion: report.completion, receiveValue: report.value)
    }
    Report.print("opaque types, 20") { numbers, report in
      fifteenMore(Stages(numbers).five)
        .sink(receiveCompletion: report.completion, receiveValue: report.value)
    }
    Report.print("opaque types, 40") { numbers, report in
      fifteenMore(fifteenMore(Stages(numbers).ten))
        .sink(receiveCompletion: report.completion, receiveValue: report.value)
    }
  }

  private struct Stages {
    let numbers: PassthroughSubject<Int, Never>

    init(_ numbers: PassthroughSubject<Int, Never>) { self.numbers = numbers }

    // region: part
    var five: some Publisher<Int, Never> {
      numbers
        .filter { $0 % 7 != 0 }
        .scan(0) { $0 &+ $1 }
        .compactMap { $0 % 5 == 0 ? nil : $0 }
        .removeDuplicates()
        .flatMap { Just($0) }
    }
    // endregion: part

    var ten: some Publisher<Int, any Error> {
      five
        .map { $0 + 1 }
        .tryMap { $0 * 2 }
        .catch { _ in Just(0) }
        .setFailureType(to: ChainError.self)
        .mapError { $0 as any Error }
    }
  }

  private static func fifteenMore<Failure: Error>(
    _ numbers: some Publisher<Int, Failure>
  ) -> some Publisher<Int, Failure> {
    fiveFast(numbers)
      .share()
      .prefix(100)
      .handleEvents(receiveOutput: { _ in })
      .retry(1)
      .zip(Publishers.Sequence(sequence: 1...100)) { $0 + $1 }
      .receive(on: ImmediateScheduler.shared)
      .subscribe(on: ImmediateScheduler.shared)
      .output(in: 0..<50)
      .print(to: Silence())
      .prefix { $0 < 1_000_000 }
  }

  private static func fiveFast<Failure: Error>(
    _ numbers: some Publisher<Int, Failure>
  ) -> some Publisher<Int, Failure> {
    numbers
      .map { $0 + 1 }
      .filter { $0 % 11 != 0 }
      .removeDuplicates { $0 == $1 }
      .compactMap { $0.isMultiple(of: 13) ? nil : $0 }
      .scan(0) { $0 &+ $1 }
  }
}
