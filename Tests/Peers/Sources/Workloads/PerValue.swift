import PeerSupport

/// Chains behind a sequence of numbers. The figure is the time per number.
enum PerValue {
  private static let count = 200_000

  static var all: [Workload] { chains + operators + whole }

  private static var chains: [Workload] {
    let triple = Closures.triple()
    let isIncluded = Closures.isNotMultipleOfFour()
    let increment = Closures.increment()
    let add = Closures.add()
    let loop = {
      for value in 0..<count {
        let tripled = triple(value)
        if isIncluded(tripled) { add(increment(tripled)) }
      }
    }
    return [
      Workload("map, filter, map", values: count, loop: loop) {
        (0..<count).publisher.lazily.map(triple).filter(isIncluded).map(increment)
          .sink(receiveValue: add).cancel()
      },
      Workload("map, filter, map; literal closures", values: count, loop: loop) {
        (0..<count).publisher.lazily.map { $0 &* 3 }.filter { $0 & 3 != 0 }.map { $0 &+ 1 }
          .sink { Closures.total &+= $0 }.cancel()
      },
      Workload("map, filter, map; on the sequence itself", values: count, loop: loop) {
        (0..<count).publisher.map(triple).filter(isIncluded).map(increment)
          .sink(receiveValue: add).cancel()
      },
      Workload(
        "5 maps, erased to AnyPublisher", values: count,
        loop: {
          for value in 0..<count {
            add(increment(increment(increment(increment(increment(value))))))
          }
        }
      ) {
        (0..<count).publisher.lazily.map(increment).eraseToAnyPublisher().map(increment)
          .eraseToAnyPublisher().map(increment).eraseToAnyPublisher().map(increment)
          .eraseToAnyPublisher().map(increment).eraseToAnyPublisher()
          .sink(receiveValue: add).cancel()
      },
    ]
  }

  /// Operators that look at each value and pass some of them on.
  private static var operators: [Workload] {
    let add = Closures.add()
    let sum = Closures.sum()
    let isEqual = Closures.isEqual()
    let optional = Closures.optional()
    let always = Closures.always()
    let plain = { for value in 0..<count { add(value) } }
    let checked = { for value in 0..<count where always(value) { add(value) } }
    return [
      workload(
        "scan",
        loop: {
          var total = 0
          for value in 0..<count {
            total = sum(total, value)
            add(total)
          }
        }
      ) { $0.scan(0, sum).sink(receiveValue: add) },
      workload(
        "removeDuplicates",
        loop: {
          var last: Int?
          for value in 0..<count {
            if let last, isEqual(last, value) { continue }
            last = value
            add(value)
          }
        }
      ) { $0.removeDuplicates(by: isEqual).sink(receiveValue: add) },
      workload(
        "compactMap",
        loop: { for value in 0..<count { if let value = optional(value) { add(value) } } }
      ) { $0.compactMap(optional).sink(receiveValue: add) },
      workload("prefix(while:)", loop: checked) {
        $0.prefix(while: always).sink(receiveValue: add)
      },
      workload("prefix", loop: plain) { $0.prefix(count).sink(receiveValue: add) },
      workload("drop(while:)", loop: plain) { $0.drop(while: { $0 < 0 }).sink(receiveValue: add) },
      workload("dropFirst", loop: plain) { $0.dropFirst(1).sink(receiveValue: add) },
      workload("prepend", loop: plain) { $0.prepend(1).sink(receiveValue: add) },
      workload("append", loop: plain) { $0.append(1).sink(receiveValue: add) },
      workload("replaceEmpty", loop: plain) { $0.replaceEmpty(with: 1).sink(receiveValue: add) },
      workload("replaceError", loop: plain) {
        $0.setFailureType(to: Nothing.self).replaceError(with: 1).sink(receiveValue: add)
      },
      workload("retry", loop: plain) {
        $0.setFailureType(to: Nothing.self).retry(2)
          .sink(receiveCompletion: { _ in }, receiveValue: add)
      },
      workload("catch", loop: plain) {
        $0.setFailureType(to: Nothing.self).catch { _ in Just(1) }.sink(receiveValue: add)
      },
      workload("handleEvents", loop: plain) {
        $0.handleEvents(receiveOutput: { _ in }).sink(receiveValue: add)
      },
      workload("receive(on: immediate)", loop: plain) {
        $0.receive(on: ImmediateScheduler.shared).sink(receiveValue: add)
      },
      workload("buffer, by request", loop: plain) {
        $0.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest).sink(receiveValue: add)
      },
      workload("buffer, kept full", loop: plain) {
        $0.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest).sink(receiveValue: add)
      },
      workload("flatMap { Just }", loop: plain) {
        $0.flatMap { Just($0) }.sink(receiveValue: add)
      },
      workload("flatMap(maxPublishers: 1) { Just }", loop: plain) {
        $0.flatMap(maxPublishers: .max(1)) { Just($0) }.sink(receiveValue: add)
      },
    ]
  }

  /// Operators that turn all values into one.
  private static var whole: [Workload] {
    let add = Closures.add()
    let sum = Closures.sum()
    let isLess = Closures.isLess()
    let never = Closures.never()
    let always = Closures.always()
    return [
      workload(
        "reduce",
        loop: {
          var total = 0
          for value in 0..<count { total = sum(total, value) }
          add(total)
        }
      ) { $0.reduce(0, sum).sink(receiveValue: add) },
      workload(
        "max(by:)",
        loop: {
          var greatest = 0
          for value in 0..<count { if isLess(greatest, value) { greatest = value } }
          add(greatest)
        }
      ) { $0.max(by: isLess).sink(receiveValue: add) },
      workload(
        "contains(where:)", loop: { for value in 0..<count where never(value) { add(value) } }
      ) { $0.contains(where: never).sink { add($0 ? 1 : 0) } },
      workload(
        "allSatisfy", loop: { for value in 0..<count where !always(value) { add(value) } }
      ) { $0.allSatisfy(always).sink { add($0 ? 1 : 0) } },
      workload(
        "collect",
        loop: {
          var all: [Int] = []
          for value in 0..<count { all.append(value) }
          add(all.count)
        }
      ) { $0.collect().sink { add($0.count) } },
      workload(
        "collect(10)",
        loop: {
          var some: [Int] = []
          for value in 0..<count {
            some.append(value)
            if some.count == 10 {
              add(some.count)
              some = []
            }
          }
        }
      ) { $0.collect(10).sink { add($0.count) } },
    ]
  }

  private static func workload(
    _ name: String, loop: @escaping () -> Void,
    attach: @escaping (Numbers) -> AnyCancellable
  ) -> Workload {
    Workload(name, values: count, loop: loop) { attach((0..<count).publisher.lazily).cancel() }
  }
}

/// An error that never occurs.
struct Nothing: Error {}
