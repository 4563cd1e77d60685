import Streams

/// A sequence through an operator with state.
enum ReducingWorkloads {
  private static let count = 1_000_000

  static var all: [Workload] { accumulating + matching + comparing + replacing }

  private static var accumulating: [Workload] {
    let add = Closures.add()
    let sum = Closures.sum()
    let isEqual = Closures.isEqual()
    let nilIfOdd = Closures.nilIfOdd()
    return [
      workload(
        "scan", target: 2,
        loop: {
          var total = 0
          for value in 0..<count {
            total = sum(total, value)
            add(total)
          }
        }, attach: { $0.scan(0, sum).sink(receiveValue: add) }),
      workload(
        "removeDuplicates", target: 3,
        loop: {
          var last: Int?
          for value in 0..<count {
            if let last, isEqual(last, value) { continue }
            last = value
            add(value)
          }
        }, attach: { $0.removeDuplicates(by: isEqual).sink(receiveValue: add) }),
      workload(
        "compactMap", target: 2,
        loop: { for value in 0..<count { if let value = nilIfOdd(value) { add(value) } } },
        attach: { $0.compactMap(nilIfOdd).sink(receiveValue: add) }),
      workload(
        "reduce", target: 3,
        loop: {
          var total = 0
          for value in 0..<count { total = sum(total, value) }
          add(total)
        }, attach: { $0.reduce(0, sum).sink(receiveValue: add) }),
      workload(
        "buffer that keeps full", target: 15,
        loop: { for value in 0..<count { add(value) } },
        attach: {
          $0.buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest).sink(receiveValue: add)
        }),
      workload(
        "buffer of all values", target: 15,
        loop: { for value in 0..<count { add(value) } },
        attach: {
          $0.buffer(size: count, prefetch: .byRequest, whenFull: .dropNewest)
            .sink(receiveValue: add)
        }),
    ]
  }

  private static var matching: [Workload] {
    let add = Closures.add()
    let triple = Closures.triple()
    let isNegative = Closures.isNegative()
    let tryIsNegative = Closures.tryIsNegative()
    let loop = {
      var found = false
      for value in 0..<count where isNegative(value) {
        found = true
        break
      }
      add(found ? 1 : 0)
    }
    let tryLoop = {
      var found = false
      do {
        for value in 0..<count where try tryIsNegative(value) {
          found = true
          break
        }
      } catch {
        add(2)
      }
      add(found ? 1 : 0)
    }
    let addAnswer: (Bool) -> Void = { add($0 ? 1 : 0) }
    return [
      workload(
        "map, contains", target: 2.5,
        loop: {
          var found = false
          for value in 0..<count where triple(value) == -1 {
            found = true
            break
          }
          add(found ? 1 : 0)
        }, attach: { $0.map(triple).contains(-1).sink(receiveValue: addAnswer) }),
      workload(
        "contains(where:)", target: 2.5, loop: loop,
        attach: { $0.contains(where: isNegative).sink(receiveValue: addAnswer) }),
      workload(
        "tryContains(where:)", target: 2.5, loop: tryLoop,
        attach: {
          $0.tryContains(where: tryIsNegative)
            .sink(receiveCompletion: { _ in }, receiveValue: addAnswer)
        }),
      workload(
        "allSatisfy", target: 2.5, loop: loop,
        attach: { $0.allSatisfy { !isNegative($0) }.sink(receiveValue: addAnswer) }),
      workload(
        "tryAllSatisfy", target: 2.5, loop: tryLoop,
        attach: {
          $0.tryAllSatisfy { try !tryIsNegative($0) }
            .sink(receiveCompletion: { _ in }, receiveValue: addAnswer)
        }),
    ]
  }

  private static var comparing: [Workload] {
    let add = Closures.add()
    let triple = Closures.triple()
    let isLess = Closures.isLess()
    let tryIsLess = Closures.tryIsLess()
    let loop = {
      var greatest: Int?
      for value in 0..<count {
        if let old = greatest, !isLess(old, value) { continue }
        greatest = value
      }
      if let greatest { add(greatest) }
    }
    let tryLoop = {
      var greatest: Int?
      do {
        for value in 0..<count {
          if let old = greatest, try !tryIsLess(old, value) { continue }
          greatest = value
        }
      } catch {
        add(2)
      }
      if let greatest { add(greatest) }
    }
    return [
      workload(
        "map, max", target: 2.5,
        loop: {
          var greatest: Int?
          for value in 0..<count {
            let tripled = triple(value)
            if let old = greatest, old >= tripled { continue }
            greatest = tripled
          }
          if let greatest { add(greatest) }
        }, attach: { $0.map(triple).max().sink(receiveValue: add) }),
      workload(
        "max(by:)", target: 2.5, loop: loop,
        attach: { $0.max(by: isLess).sink(receiveValue: add) }),
      workload(
        "min(by:)", target: 2.5, loop: loop,
        attach: { $0.min(by: isLess).sink(receiveValue: add) }),
      workload(
        "tryMax(by:)", target: 2.5, loop: tryLoop,
        attach: {
          $0.tryMax(by: tryIsLess).sink(receiveCompletion: { _ in }, receiveValue: add)
        }),
    ]
  }

  private static var replacing: [Workload] {
    let add = Closures.add()
    let nilIfOdd = Closures.nilIfOdd()
    return [
      workload(
        "replaceEmpty", target: 2.5, loop: { for value in 0..<count { add(value) } },
        attach: { $0.replaceEmpty(with: 7).sink(receiveValue: add) }),
      workload(
        "map, replaceNil", target: 2.5,
        loop: { for value in 0..<count { add(nilIfOdd(value) ?? 7) } },
        attach: { $0.map(nilIfOdd).replaceNil(with: 7).sink(receiveValue: add) }),
    ]
  }

  private static func workload(
    _ name: String, target: Double, loop: @escaping () -> Void,
    attach: @escaping (Lazily<Publishers.Sequence<Range<Int>, Never>>) -> AnyCancellable
  ) -> Workload {
    return Workload(
      name: "sequence, \(name), sink", values: count, target: target, loop: loop,
      streams: { attach((0..<count).publisher.lazily).cancel() })
  }
}
