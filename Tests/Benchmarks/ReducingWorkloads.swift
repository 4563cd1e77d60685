import Streams

/// A sequence through an operator with state.
enum ReducingWorkloads {
  private static let count = 1_000_000

  static var all: [Workload] {
    let add = Closures.add()
    let sum = Closures.sum()
    let isEqual = Closures.isEqual()
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
      // region: removeDuplicates
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
      // endregion
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

  private static func workload(
    _ name: String, target: Double, loop: @escaping () -> Void,
    attach: @escaping (Lazily<Publishers.Sequence<Range<Int>, Never>>) -> AnyCancellable
  ) -> Workload {
    return Workload(
      name: "sequence, \(name), sink", values: count, target: target, loop: loop,
      streams: { attach((0..<count).publisher.lazily).cancel() })
  }
}
