import TestSupport

/// Makes random cases. The same seed and index give the same case.
struct PipelineGenerator {
  /// The operators to choose from, each as often as its weight.
  private let kinds: [OperatorKind]

  /// Those of them without another publisher.
  private let flatKinds: [OperatorKind]

  /// Those whose demand has an exact model.
  private let exactKinds: [OperatorKind]

  /// Those that may keep the values the same whatever the demand.
  private let pulledKinds: [OperatorKind]

  /// Whether some cases request everything after limited demand.
  private let requestsRest: Bool

  /// Makes a generator that chooses from some operators: those with another publisher and those
  /// with times more often.
  ///
  /// - Parameters:
  ///   - kinds: The operators.
  ///   - requestsRest: Whether some cases request everything after limited demand.
  init(kinds: [OperatorKind] = OperatorKind.all, requestsRest: Bool = true) {
    self.requestsRest = requestsRest
    self.kinds = kinds.flatMap { kind in
      Array(repeating: kind, count: kind.hasInner ? 4 : kind.demand == .other ? 3 : 1)
    }
    flatKinds = self.kinds.filter { !$0.hasInner }
    exactKinds = kinds.flatMap { kind in
      let weight =
        switch kind.demand {
        case .passesOn: 3
        case .buffers: 4
        case .requestsAll: 1
        case .flattens: 8
        case .other: 0
        }
      return Array(repeating: kind, count: weight)
    }
    pulledKinds = kinds.filter(Pipeline.mayPull).flatMap { kind in
      let weight = kind.hasInner ? 6 : kind.demand == .other ? 5 : 1
      // Most cases of these are left out, because a failure doesn't wait.
      let isRare = kind.name.hasPrefix("zip") || kind.name.hasPrefix("merge")
      return Array(repeating: kind, count: isRare ? 3 * weight : weight)
    }
  }

  /// Makes a case.
  func makeCase(seed: UInt64, index: Int) -> PipelineCase {
    var random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9)
    // The first numbers of neighbouring seeds are similar.
    _ = random.next()
    while true {
      let candidate = makeCandidate(&random)
      if candidate.isValid { return candidate.withoutUnusedScripts }
    }
  }

  private func makeCandidate(_ random: inout SplitMix64) -> PipelineCase {
    let scripts = (0..<Int.random(in: 1...2, using: &random)).map { _ in makeScript(&random) }
    if requestsRest, chance(1, in: 4, &random) { return makePulled(&random) }
    let isLimited = chance(1, in: 3, &random)
    var pipeline = Pipeline(source: makeSource(scripts: scripts.count, &random))
    if isLimited, chance(2, in: 3, &random) {
      pipeline = makeExactPipeline(
        below: pipeline.source, length: 1...5, depth: 2, scripts: scripts.count, &random)
    } else {
      pipeline = makePipeline(length: 0...6, depth: 2, scripts: scripts.count, &random)
    }
    var result = PipelineCase(scripts: scripts, pipeline: pipeline)
    if isLimited { result.demand = makeDemand(&random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: result.cancel = .at(makeTime(&random))
    case 1: result.cancel = .afterValue(.random(in: 1...4, using: &random))
    default: break
    }
    return result
  }

  /// A case whose values are the same whatever the demand. In the end everything is requested.
  private func makePulled(_ random: inout SplitMix64) -> PipelineCase {
    var pipeline = makePulledPipeline(length: 1...5, depth: 2, &random)
    while !pipeline.isPulled {
      pipeline = makePulledPipeline(length: 1...5, depth: 2, &random)
    }
    var result = PipelineCase(scripts: [], pipeline: pipeline)
    result.demand = makeDemand(&random)
    result.demand.rest = .random(using: &random) ? .unlimited : .oneByOne
    return result
  }

  /// A pipeline whose demand has an exact model.
  private func makeExactPipeline(
    below source: PipelineSource, length: ClosedRange<Int>, depth: Int, scripts: Int,
    _ random: inout SplitMix64
  ) -> Pipeline {
    var pipeline = Pipeline(source: source)
    for _ in 0..<Int.random(in: length, using: &random) {
      guard let kind = exactKinds.randomElement(using: &random), depth > 0 || !kind.hasInner
      else { continue }
      var step = makeOperator(kind, depth: 0, scripts: 0, &random)
      if kind.hasInner {
        step.inner = makeExactPipeline(
          below: makeSource(scripts: scripts, &random), length: 0...2, depth: depth - 1,
          scripts: scripts, &random)
      }
      pipeline.operators.append(step)
    }
    return pipeline
  }

  private func makePulledPipeline(
    length: ClosedRange<Int>, depth: Int, _ random: inout SplitMix64
  ) -> Pipeline {
    var pipeline = Pipeline(source: makePulledSource(&random))
    for _ in 0..<Int.random(in: length, using: &random) {
      guard let kind = pulledKinds.randomElement(using: &random), depth > 0 || !kind.hasInner
      else { continue }
      var step = makeOperator(kind, depth: 0, scripts: 0, &random)
      if kind.hasInner {
        step.inner = makePulledPipeline(length: 0...2, depth: depth - 1, &random)
        for _ in 0..<makeOtherCount(kind, &random) {
          // Only one upstream of `merge` may have values.
          step.others.append(
            kind.name.hasPrefix("merge")
              ? Pipeline(source: .empty(completes: true))
              : makePulledPipeline(length: 0...1, depth: 0, &random))
        }
      }
      pipeline.operators.append(step)
    }
    return pipeline
  }

  private func makePulledSource(_ random: inout SplitMix64) -> PipelineSource {
    while true {
      let source = makeSource(scripts: 1, &random)
      if source.waitsForDemand { return source }
    }
  }

  func makePipeline(
    length: ClosedRange<Int>, depth: Int, scripts: Int, _ random: inout SplitMix64
  ) -> Pipeline {
    var pipeline = Pipeline(source: makeSource(scripts: scripts, &random))
    for _ in 0..<Int.random(in: length, using: &random) {
      guard let kind = (depth > 0 ? kinds : flatKinds).randomElement(using: &random) else { break }
      pipeline.operators.append(makeOperator(kind, depth: depth, scripts: scripts, &random))
    }
    return pipeline
  }

  func makeOperator(
    _ kind: OperatorKind, depth: Int, scripts: Int, _ random: inout SplitMix64
  ) -> PipelineOperator {
    let steps = (kind.numbers.upperBound - kind.numbers.lowerBound) / kind.stride
    var result = PipelineOperator(
      kind: kind,
      number: kind.numbers.lowerBound + kind.stride * .random(in: 0...steps, using: &random),
      inner: kind.hasInner && depth > 0
        ? makePipeline(length: 0...2, depth: depth - 1, scripts: scripts, &random) : nil)
    if result.inner != nil {
      for _ in 0..<makeOtherCount(kind, &random) {
        result.others.append(makePipeline(length: 0...1, depth: 0, scripts: scripts, &random))
      }
    }
    return result
  }

  private func makeOtherCount(_ kind: OperatorKind, _ random: inout SplitMix64) -> Int {
    kind.others == 0...0 ? 0 : .random(in: kind.others, using: &random)
  }

  private func makeSource(scripts: Int, _ random: inout SplitMix64) -> PipelineSource {
    switch Int.random(in: 0..<22, using: &random) {
    case 0: .just(makeValue(&random))
    case 1...4: .sequence(makeValues(&random))
    case 5: .empty(completes: .random(using: &random))
    case 6: .fail
    case 7: .optional(.random(using: &random) ? makeValue(&random) : nil)
    case 8: .result(.random(using: &random) ? makeValue(&random) : nil)
    case 9: .deferred(makeValues(&random))
    case 10: .record(makeValues(&random), fails: .random(using: &random))
    default: .scripted(.random(in: 0..<scripts, using: &random))
    }
  }

  func makeScript(_ random: inout SplitMix64) -> Script {
    let receiver: Script.Receiver =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .future
      case 1: .currentValueSubject(makeValue(&random))
      default: .passthroughSubject
      }
    var lines = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Script.Line(time: makeTime(&random), signal: .value(makeValue(&random)))
    }
    if chance(2, in: 3, &random) {
      let last = lines.map(\.time).max() ?? 0
      let time =
        chance(1, in: 4, &random)
        ? makeTime(&random) : last + 5 * .random(in: 0...3, using: &random)
      let signal: Signal = chance(1, in: 2, &random) ? .finished : .failure("lost")
      lines.append(Script.Line(time: time, signal: signal))
    }
    return Script(receiver: receiver, lines: lines)
  }

  private func makeDemand(_ random: inout SplitMix64) -> DemandPlan {
    DemandPlan(
      initial: .random(in: 0...2, using: &random),
      perValue: chance(1, in: 3, &random) ? 1 : 0,
      requests: (0..<Int.random(in: 0...3, using: &random)).map { _ in
        DemandPlan.Request(time: makeTime(&random), count: .random(in: 1...2, using: &random))
      })
  }

  // All times are multiples of 5, so that many things happen at the same instant.
  private func makeTime(_ random: inout SplitMix64) -> Int {
    5 * .random(in: 0...8, using: &random)
  }

  private func makeValue(_ random: inout SplitMix64) -> Int { .random(in: 0...6, using: &random) }

  private func makeValues(_ random: inout SplitMix64) -> [Int] {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in makeValue(&random) }
  }

  private func chance(_ count: Int, in total: Int, _ random: inout SplitMix64) -> Bool {
    Int.random(in: 0..<total, using: &random) < count
  }
}
