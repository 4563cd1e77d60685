import Streams

/// Chains with one operator per statement, each different from the others.
enum StepByStep {
  static func report() {
    Report.print("step by step, 5", attach: five)
    Report.print("step by step, 10", attach: ten)
    Report.print("step by step, 20", attach: twenty)
    Report.print("step by step, 40", attach: forty)
    Report.print("step by step, the rest", attach: rest)
  }

  private static func five(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    // region: split
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4 = step3.removeDuplicates()
    let step5 = step4.flatMap { Just($0) }
    // endregion: split
    return step5.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func ten(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4 = step3.removeDuplicates()
    let step5 = step4.flatMap { Just($0) }
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8 = step7.catch { _ in Just(0) }
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
    let step4 = step3.removeDuplicates()
    let step5 = step4.flatMap { Just($0) }
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8 = step7.catch { _ in Just(0) }
    let step9 = step8.setFailureType(to: ChainError.self)
    let step10 = step9.mapError { $0 as any Error }
    let step11 = step10.tryFilter { $0 % 11 != 0 }
    let step12 = step11.tryCompactMap { $0 % 13 == 0 ? nil : $0 }
    let step13 = step12.tryScan(0) { $0 &+ $1 }
    let step14 = step13.tryRemoveDuplicates { $0 == $1 }
    let step15 = step14.retry(1)
    let step16 = step15.tryCatch { _ in Just(0).setFailureType(to: ChainError.self) }
    let step17 = step16.replaceError(with: 0)
    let step18 = step17.prefix(1000)
    let step19 = step18.prefix { $0 < 1_000_000 }
    let step20 = step19.removeDuplicates { $0 == $1 }
    return step20.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func forty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.filter { $0 % 7 != 0 }
    let step2 = step1.scan(0) { $0 &+ $1 }
    let step3 = step2.compactMap { $0 % 5 == 0 ? nil : $0 }
    let step4 = step3.removeDuplicates()
    let step5 = step4.flatMap { Just($0) }
    let step6 = step5.map { $0 + 1 }
    let step7 = step6.tryMap { $0 * 2 }
    let step8 = step7.catch { _ in Just(0) }
    let step9 = step8.setFailureType(to: ChainError.self)
    let step10 = step9.mapError { $0 as any Error }
    let step11 = step10.tryFilter { $0 % 11 != 0 }
    let step12 = step11.tryCompactMap { $0 % 13 == 0 ? nil : $0 }
    let step13 = step12.tryScan(0) { $0 &+ $1 }
    let step14 = step13.tryRemoveDuplicates { $0 == $1 }
    let step15 = step14.retry(1)
    let step16 = step15.tryCatch { _ in Just(0).setFailureType(to: ChainError.self) }
    let step17 = step16.replaceError(with: 0)
    let step18 = step17.prefix(1000)
    let step19 = step18.prefix { $0 < 1_000_000 }
    let step20 = step19.removeDuplicates { $0 == $1 }
    let step21 = step20.handleEvents(receiveOutput: { _ in })
    let step22 = step21.print(to: Silence())
    let step23 = step22.merge(with: Empty())
    let step24 = step23.zip((1...100).publisher) { $0 + $1 }
    let step25 = step24.combineLatest(Just(1)) { $0 - $1 }
    let step26 = step25.encode(encoder: DecimalCoder())
    let step27 = step26.map(\.self)
    let step28 = step27.decode(type: Int.self, decoder: DecimalCoder())
    let step29 = step28.assertNoFailure()
    let step30 = step29.receive(on: ImmediateScheduler.shared)
    let step31 = step30.subscribe(on: ImmediateScheduler.shared)
    let step32 = step31.share()
    let step33 = step32.multicast { PassthroughSubject() }.autoconnect()
    let step34 = step33.map { Just($0) }.switchToLatest()
    let step35 = step34.delay(for: 0, scheduler: ImmediateScheduler.shared)
    let step36 = step35.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    let step37 = step36.output(in: 0..<9)
    let step38 = step37.tryPrefix { $0 < 1_000_000 }
    let step39 = step38.collect(2)
    let step40 = step39.last()
    return step40.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  /// The operators that the chain of 40 doesn't have.
  private static func rest(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let step1 = numbers.dropFirst()
    let step2 = step1.drop { $0 < 3 }
    let step3 = step2.tryDrop { $0 < 4 }
    let step4 = step3.replaceError(with: 0)
    let step5 = step4.drop(untilOutputFrom: Just(1))
    let step6 = step5.append(20, 21).prepend(1)
    let step7 = step6.map { $0 % 3 == 0 ? nil : $0 }.replaceNil(with: 7)
    let step8 = step7.buffer(size: 4, prefetch: .keepFull, whenFull: .dropNewest)
    let step9 = step8.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true)
    let step10 = step9.replaceEmpty(with: 0)
    let step11 = step10.breakpoint(receiveOutput: { $0 < 0 })
    let step12 = step11.collect(.byTimeOrCount(ImmediateScheduler.shared, 0, 2))
    let step13 = step12.map { $0.reduce(0, +) }
    let step14 = step13.collect(3)
    let step15 = step14.map { $0.reduce(0, +) }
    return step15.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }
}
