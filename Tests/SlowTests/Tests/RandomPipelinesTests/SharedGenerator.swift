import TestSupport

/// Makes random cases of a publisher that several subscribers share.
struct SharedGenerator {
  private let base = PipelineGenerator()

  /// The operators of a single subscriber.
  private let operators = OperatorKind.all.filter { $0.demand == .passesOn && !$0.hasInner }

  /// Makes a case. The same seed and index give the same one.
  func makeCase(seed: UInt64, index: Int) -> SharedCase {
    var random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9 &+ 0x51)
    _ = random.next()
    while true {
      let candidate = makeCandidate(&random)
      if candidate.isValid { return candidate }
    }
  }

  private func makeCandidate(_ random: inout SplitMix64) -> SharedCase {
    var scripts = [base.makeScript(&random)]
    if scripts[0].receiver == .future { scripts[0].receiver = .passthroughSubject }
    let hub: SharedCase.Hub =
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: .subject
      case 2: .currentValue(.random(in: 0...2, using: &random))
      case 3: .connectable
      default: .share
      }
    var head = Pipeline(source: .scripted(0))
    if hub != .subject {
      head = base.makePipeline(length: 0...3, depth: 1, scripts: 1, &random)
      if chance(1, in: 2, &random) { head.source = .scripted(0) }
      // A junction whose upstreams are the same subject, so that nested values reach it.
      if chance(1, in: 5, &random), let kind = OperatorKind.junctions.randomElement(using: &random)
      {
        let all = Array(repeating: Pipeline(source: .scripted(0)), count: kind.others.upperBound)
        head.operators = [
          PipelineOperator(
            kind: kind, number: 0, inner: Pipeline(source: .scripted(0)), others: all)
        ]
      }
    }
    let count = Int.random(in: 2...4, using: &random)
    let subscribers = (0..<count).map { _ in makeSubscriber(&random) }
    var deeds = (0..<count).map { index in
      // The first one comes at a time, and the others maybe within a value of an earlier one.
      Deed(
        occasion: index > 0 && chance(1, in: 4, &random)
          ? .inValue(.random(in: 1...2, using: &random), of: .random(in: 0..<index, using: &random))
          : .at(5 * .random(in: 0...(index == 0 ? 1 : 6), using: &random)),
        action: .subscribe(index))
    }
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let index = Int.random(in: 0..<count, using: &random)
      let action: Deed.Action =
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .request(index, count: .random(in: 1...2, using: &random))
        case 2: .send(makeSignal(&random), script: 0)
        default: .cancel(index)
        }
      deeds.append(Deed(occasion: makeOccasion(count, &random), action: action))
    }
    if hub == .connectable {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        deeds.append(
          Deed(
            occasion: makeOccasion(count, &random),
            action: chance(2, in: 3, &random) ? .connect : .disconnect))
      }
    }
    return SharedCase(
      scripts: scripts, head: head, hub: hub, subscribers: subscribers, deeds: deeds)
  }

  private func makeSubscriber(_ random: inout SplitMix64) -> SharedSubscriber {
    var result = SharedSubscriber()
    for _ in 0..<max(0, Int.random(in: -1...2, using: &random)) {
      result.operators.append(
        base.makeOperator(operators.randomElement(using: &random)!, depth: 0, scripts: 0, &random))
    }
    if chance(1, in: 3, &random) {
      result.initial = .random(in: 0...2, using: &random)
      result.perValue = chance(1, in: 3, &random) ? 1 : 0
    }
    return result
  }

  private func makeOccasion(_ count: Int, _ random: inout SplitMix64) -> Deed.Occasion {
    chance(1, in: 2, &random)
      ? .at(5 * .random(in: 0...8, using: &random))
      : .inValue(.random(in: 1...3, using: &random), of: .random(in: 0..<count, using: &random))
  }

  private func makeSignal(_ random: inout SplitMix64) -> Signal {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .finished
    case 1: .failure("lost")
    default: .value(.random(in: 0...6, using: &random))
    }
  }

  private func chance(_ count: Int, in total: Int, _ random: inout SplitMix64) -> Bool {
    Int.random(in: 0..<total, using: &random) < count
  }
}
