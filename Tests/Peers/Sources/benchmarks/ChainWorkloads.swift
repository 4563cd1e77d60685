import Streams

/// A chain of 20 maps, compared with a loop that calls the same 20 closures.
enum ChainWorkloads {
  static let count = 200_000

  static var all: [Workload] {
    let steps = (0..<20).map { _ in Closures.increment() }
    let add = Closures.add()
    let loop = { Self.loop(steps, add) }
    return [
      Workload(
        name: "20 maps", values: count, target: 2, loop: loop,
        streams: { stageByStage(steps, add) }),
      Workload(
        name: "20 maps, made one stage", values: count, target: 2, loop: loop,
        streams: { oneStage(steps, add) }),
    ]
  }

  @inline(never)
  private static func loop(_ steps: [(Int) -> Int], _ add: (Int) -> Void) {
    let (a, b, c, d, e) = (steps[0], steps[1], steps[2], steps[3], steps[4])
    let (f, g, h, i, j) = (steps[5], steps[6], steps[7], steps[8], steps[9])
    let (k, l, m, n, o) = (steps[10], steps[11], steps[12], steps[13], steps[14])
    let (p, q, r, s, t) = (steps[15], steps[16], steps[17], steps[18], steps[19])
    for value in 0..<count {
      let five = e(d(c(b(a(value)))))
      let ten = j(i(h(g(f(five)))))
      let fifteen = o(n(m(l(k(ten)))))
      add(t(s(r(q(p(fifteen))))))
    }
  }

  @inline(never)
  private static func stageByStage(_ steps: [(Int) -> Int], _ add: @escaping (Int) -> Void) {
    let five = (0..<count).publisher.lazily.thenMap(steps[0]).thenMap(steps[1]).thenMap(steps[2])
      .thenMap(steps[3]).thenMap(steps[4])
    let ten = five.thenMap(steps[5]).thenMap(steps[6]).thenMap(steps[7]).thenMap(steps[8])
      .thenMap(steps[9])
    let fifteen = ten.thenMap(steps[10]).thenMap(steps[11]).thenMap(steps[12]).thenMap(steps[13])
      .thenMap(steps[14])
    fifteen.thenMap(steps[15]).thenMap(steps[16]).thenMap(steps[17]).thenMap(steps[18])
      .thenMap(steps[19]).sink(receiveValue: add).cancel()
  }

  @inline(never)
  private static func oneStage(_ steps: [(Int) -> Int], _ add: @escaping (Int) -> Void) {
    (0..<count).publisher.lazily
      .map(steps[0]).map(steps[1]).map(steps[2]).map(steps[3]).map(steps[4])
      .map(steps[5]).map(steps[6]).map(steps[7]).map(steps[8]).map(steps[9])
      .map(steps[10]).map(steps[11]).map(steps[12]).map(steps[13]).map(steps[14])
      .map(steps[15]).map(steps[16]).map(steps[17]).map(steps[18]).map(steps[19])
      .sink(receiveValue: add).cancel()
  }
}

extension Publisher {
  /// `map` as a separate stage, because the compiler doesn't know here that `Self` is a map.
  fileprivate func thenMap<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    map(transform)
  }
}
