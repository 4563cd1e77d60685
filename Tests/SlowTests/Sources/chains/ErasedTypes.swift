import Streams

/// Chains whose type is erased at some steps.
///
/// Each erased step has an explicit type. Without it, the compiler remembers how the type was made,
/// and that doubles its work with each step.
enum ErasedTypes {
  static func report() {
    Report.print("erased types, 5", attach: five)
    Report.print("erased types, 10", attach: ten)
    Report.print("erased types, 20", attach: twenty)
    Report.print("erased types, 40", attach: forty)
  }

  private static func five(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4: AnyPublisher<Int, Never> = step3.removeDuplicates().eraseToAnyPublisher()
    let step5 = step4.flatMap { Just($0) }
    return step5.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func ten(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    // region: typed
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4: AnyPublisher<Int, Never> = step3.removeDuplicates().eraseToAnyPublisher()
    let step5 = step4.flatMap { Just($0) }
    // endregion: typed
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8: AnyPublisher<Int, Never> = step7.catch { _ in Just(0) }.eraseToAnyPublisher()
    let step9 = step8.setFailureType(to: ChainError.self)
    let step10 = step9.mapError { $0 as any Error }
    return step10.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func twenty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4: AnyPublisher<Int, Never> = step3.removeDuplicates().eraseToAnyPublisher()
    let step5 = step4.flatMap { Just($0) }
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8: AnyPublisher<Int, Never> = step7.catch { _ in Just(0) }.eraseToAnyPublisher()
    let step9 = step8.setFailureType(to: ChainError.self)
    let step10 = step9.mapError { $0 as any Error }
    let step11 = step10.tryFilter { $0 % 11 != 0 }
    let step12: AnyPublisher<Int, any Error> = step11.tryCompactMap { $0 % 13 == 0 ? nil : $0 }
      .eraseToAnyPublisher()
    let step13 = step12.tryScan(0) { $0 &+ $1 }
    let step14 = step13.tryRemoveDuplicates { $0 == $1 }
    let step15 = step14.retry(1)
    let step16: AnyPublisher<Int, any Error> = step15.tryCatch { _ in
      Just(0).setFailureType(to: ChainError.self)
    }
    .eraseToAnyPublisher()
    let step17 = step16.replaceError(with: 0)
    let step18 = step17.prefix(1000)
    let step19 = step18.prefix { $0 < 1_000_000 }
    let step20: AnyPublisher<Int, Never> = step19.removeDuplicates { $0 == $1 }
      .eraseToAnyPublisher()
    return step20.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func forty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4: AnyPublisher<Int, Never> = step3.removeDuplicates().eraseToAnyPublisher()
    let step5 = step4.flatMap { Just($0) }
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8: AnyPublisher<Int, Never> = step7.catch { _ in Just(0) }.eraseToAnyPublisher()
    let step9 = step8.setFailureType(to: ChainError.self)
    let step10 = step9.mapError { $0 as any Error }
    let step11 = step10.tryFilter { $0 % 11 != 0 }
    let step12: AnyPublisher<Int, any Error> = step11.tryCompactMap { $0 % 13 == 0 ? nil : $0 }
      .eraseToAnyPublisher()
    let step13 = step12.tryScan(0) { $0 &+ $1 }
    let step14 = step13.tryRemoveDuplicates { $0 == $1 }
    let step15 = step14.retry(1)
    let step16: AnyPublisher<Int, any Error> = step15.tryCatch { _ in
      Just(0).setFailureType(to: ChainError.self)
    }
    .eraseToAnyPublisher()
    let step17 = step16.replaceError(with: 0)
    let step18 = step17.prefix(1000)
    let step19 = step18.prefix { $0 < 1_000_000 }
    let step20: AnyPublisher<Int, Never> = step19.removeDuplicates { $0 == $1 }
      .eraseToAnyPublisher()
    let step21 = step20.handleEvents(receiveOutput: { _ in })
    let step22 = step21.print(to: Silence())
    let step23 = step22.merge(with: Empty())
    let step24: AnyPublisher<Int, Never> = step23.zip((1...100).publisher) { $0 + $1 }
      .eraseToAnyPublisher()
    let step25 = step24.combineLatest(Just(1)) { $0 - $1 }
    let step26 = step25.encode(encoder: DecimalCoder())
    let step27 = step26.map(\.self)
    let step28: AnyPublisher<Int, any Error> = step27.decode(
      type: Int.self, decoder: DecimalCoder()
    ).eraseToAnyPublisher()
    let step29 = step28.assertNoFailure()
    let step30 = step29.receive(on: ImmediateScheduler.shared)
    let step31 = step30.subscribe(on: ImmediateScheduler.shared)
    let step32: AnyPublisher<Int, Never> = step31.share().eraseToAnyPublisher()
    let step33 = step32.multicast { PassthroughSubject() }.autoconnect()
    let step34 = step33.map { Just($0) }.switchToLatest()
    let step35 = step34.delay(for: 0, scheduler: ImmediateScheduler.shared)
    let step36: AnyPublisher<Int, Never> = step35.prefix(
      untilOutputFrom: Empty<Int, Never>(completeImmediately: false)
    )
    .eraseToAnyPublisher()
    let step37 = step36.output(in: 0..<9)
    let step38 = step37.tryPrefix { $0 < 1_000_000 }
    let step39 = step38.collect(2)
    let step40: AnyPublisher<[Int], any Error> = step39.last().eraseToAnyPublisher()
    return step40.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }
}
