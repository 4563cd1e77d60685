import Streams

/// A sequence through operators that drop its first values, or put values before or after it.
enum DroppingWorkloads {
  private static let count = 1_000_000

  static var all: [Workload] {
    let add = Closures.add()
    let increment = Closures.increment()
    let isEarly = Closures.isEarly()
    let isNegative = Closures.isNegative()
    let whileLoop = {
      var isDropping = true
      for value in 0..<count {
        let next = increment(value)
        if isDropping, isEarly(next) { continue }
        isDropping = false
        add(next)
      }
    }
    let plainLoop = { for value in 0..<count { add(increment(value)) } }
    let twoLoops = {
      for value in 0..<count / 2 { add(value) }
      for value in count / 2..<count { add(value) }
    }
    return [
      workload(
        "map, dropFirst", target: 2.5,
        loop: {
          var left = 1_000
          for value in 0..<count {
            let next = increment(value)
            if left > 0 { left -= 1 } else { add(next) }
          }
        }, streams: { numbers.map(increment).dropFirst(1_000).sink(receiveValue: add).cancel() }),
      workload(
        "map, drop(while:)", target: 2.5, loop: whileLoop,
        streams: { numbers.map(increment).drop(while: isEarly).sink(receiveValue: add).cancel() }),
      workload(
        "map, tryDrop(while:)", target: 2.5, loop: whileLoop,
        streams: {
          numbers.map(increment).tryDrop(while: isEarly).sink(
            receiveCompletion: { _ in }, receiveValue: add
          )
          .cancel()
        }),
      workload(
        "map, drop(untilOutputFrom:)", target: 2.5, loop: plainLoop,
        streams: {
          numbers.map(increment).drop(untilOutputFrom: Just(0)).sink(receiveValue: add).cancel()
        }),
      workload(
        "map, breakpoint", target: 2.5,
        loop: {
          for value in 0..<count {
            let next = increment(value)
            if isNegative(next) { fatalError() }
            add(next)
          }
        },
        streams: {
          numbers.map(increment).breakpoint(receiveOutput: isNegative).sink(receiveValue: add)
            .cancel()
        }),
      workload(
        "append", target: 15, loop: twoLoops,
        streams: {
          (0..<count / 2).publisher.append(count / 2..<count).sink(receiveValue: add).cancel()
        }),
      Workload(
        name: "a record, sink", values: count, target: 2.5,
        loop: { for value in recording.output { add(value) } },
        streams: { Record(recording: recording).sink(receiveValue: add).cancel() }),
    ]
  }

  private static let recording = Record<Int, Never>.Recording(output: Array(0..<count))

  private static var numbers: Lazily<Publishers.Sequence<Range<Int>, Never>> {
    (0..<count).publisher.lazily
  }

  private static func workload(
    _ label: String, target: Double, loop: @escaping () -> Void, streams: @escaping () -> Void
  ) -> Workload {
    Workload(
      name: "sequence, \(label), sink", values: count, target: target, loop: loop,
      streams: streams)
  }
}
