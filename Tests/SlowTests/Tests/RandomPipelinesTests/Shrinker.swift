/// Makes a failing case smaller, for as long as it fails.
struct Shrinker<Case: RandomCase> {
  /// Whether a case fails.
  let fails: (Case) -> Bool

  /// Tries simpler cases, the simplest first, and goes on with the first one that fails. The result
  /// fails too, and none of its simpler cases does.
  func shrink(_ testCase: Case) -> Case {
    var smallest = testCase
    while let simpler = smallest.simplerCases.first(where: { $0.isValid && fails($0) }) {
      smallest = simpler
    }
    return smallest
  }
}

extension PipelineCase {
  var simplerCases: [PipelineCase] {
    var cases: [PipelineCase] = []
    func add(_ change: (inout PipelineCase) -> Void) {
      var simpler = self
      change(&simpler)
      cases.append(simpler.withoutUnusedScripts)
    }
    if cancel != nil { add { $0.cancel = nil } }
    if demand != .unlimited { add { $0.demand = .unlimited } }
    for pipeline in pipeline.simpler { add { $0.pipeline = pipeline } }
    // A sequence of the same values instead of a subject.
    for index in scripts.indices {
      let values = scripts[index].lines.compactMap { line -> Int? in
        if case .value(let value) = line.signal { value } else { nil }
      }
      add { $0.pipeline.mapSources { $0 == .scripted(index) ? .sequence(values) : $0 } }
    }
    for index in scripts.indices {
      for script in scripts[index].simpler { add { $0.scripts[index] = script } }
    }
    for demand in demand.simpler { add { $0.demand = demand } }
    switch cancel {
    case .at(let time): for time in smaller(time, by: 5) { add { $0.cancel = .at(time) } }
    case .afterValue(let count):
      for count in smaller(count, from: 1) { add { $0.cancel = .afterValue(count) } }
    case nil: break
    }
    return cases
  }

  /// The case without scripts that nothing refers to.
  var withoutUnusedScripts: PipelineCase {
    var result = self
    let used = Set(pipeline.scriptIndices).sorted()
    result.scripts = used.map { scripts[$0] }
    result.pipeline.mapSources { source in
      guard case .scripted(let index) = source else { return source }
      return .scripted(used.firstIndex(of: index)!)
    }
    return result
  }
}

/// Smaller numbers, the smallest first.
func smaller(_ number: Int, from lowest: Int = 0, by stride: Int = 1) -> [Int] {
  guard number > lowest else { return [] }
  let half = lowest + (number - lowest) / stride / 2 * stride
  var result: [Int] = []
  for candidate in [lowest, half, number - stride]
  where candidate >= lowest && candidate < number && !result.contains(candidate) {
    result.append(candidate)
  }
  return result
}

/// The lists without one of their elements.
func shorter<Element>(_ list: [Element]) -> [[Element]] {
  list.indices.map { index in
    var result = list
    result.remove(at: index)
    return result
  }
}

/// The lists with one element made simpler.
private func simplerElements<Element>(
  _ list: [Element], _ simpler: (Element) -> [Element]
) -> [[Element]] {
  list.indices.flatMap { index in
    simpler(list[index]).map { element in
      var result = list
      result[index] = element
      return result
    }
  }
}

extension Pipeline {
  /// Pipelines that are one step simpler.
  var simpler: [Pipeline] {
    // Inner pipelines instead of everything above them first, because they replace most.
    operators.indices.flatMap { index in
      operators[index].inners.map {
        Pipeline(source: $0.source, operators: $0.operators + operators[(index + 1)...])
      }
    }
      + operators.flatMap(\.inners)
      + shorter(operators).map { Pipeline(source: source, operators: $0) }
      + source.simpler.map { Pipeline(source: $0, operators: operators) }
      + simplerElements(operators) { step in
        var result: [PipelineOperator] = []
        let kind = step.kind
        func add(_ change: (inout PipelineOperator) -> Void) {
          var simpler = step
          change(&simpler)
          result.append(simpler)
        }
        if step.others.count > kind.others.lowerBound {
          for others in shorter(step.others) { add { $0.others = others } }
        }
        for inner in step.inner?.simpler ?? [] { add { $0.inner = inner } }
        for others in simplerElements(step.others, \.simpler) { add { $0.others = others } }
        for number in smaller(
          step.number, from: kind.numbers.lowerBound, by: kind.stride)
        {
          add { $0.number = number }
        }
        return result
      }.map { Pipeline(source: source, operators: $0) }
  }

  fileprivate var scriptIndices: [Int] {
    var result = operators.flatMap { $0.inners.flatMap(\.scriptIndices) }
    if case .scripted(let index) = source { result.append(index) }
    return result
  }

  fileprivate mutating func mapSources(_ transform: (PipelineSource) -> PipelineSource) {
    source = transform(source)
    for index in operators.indices {
      operators[index].inner?.mapSources(transform)
      for other in operators[index].others.indices {
        operators[index].others[other].mapSources(transform)
      }
    }
  }
}

extension PipelineSource {
  fileprivate var simpler: [PipelineSource] {
    switch self {
    case .empty(completes: true): []
    case .empty(completes: false): [.empty(completes: true)]
    case .just(let value): smaller(value).map { .just($0) }
    case .optional(let value), .result(let value):
      value.map { [.just($0)] } ?? (self == .result(nil) ? [.fail] : [.empty(completes: true)])
    case .fail: [.empty(completes: true)]
    case .deferred(let values), .record(let values, fails: false): [.sequence(values)]
    case .record(let values, fails: true):
      [.record(values, fails: false)]
        + (values.isEmpty ? [.fail] : shorter(values).map { .record($0, fails: true) })
    case .sequence(let values):
      (values.count == 1 ? [.just(values[0])] : [])
        + (values.isEmpty ? [.empty(completes: true)] : [])
        + (shorter(values) + simplerElements(values) { smaller($0) })
        .map { .sequence($0) }
    case .scripted: [.empty(completes: true), .just(1), .fail, .sequence([1, 2])]
    }
  }
}

extension Script {
  var simpler: [Script] {
    var result: [Script] = []
    switch receiver {
    case .passthroughSubject: break
    case .currentValueSubject(let value):
      result.append(Script(receiver: .passthroughSubject, lines: lines))
      result += smaller(value).map {
        Script(receiver: .currentValueSubject($0), lines: lines)
      }
    case .future: result.append(Script(receiver: .passthroughSubject, lines: lines))
    }
    let simplerLines =
      shorter(lines)
      + simplerElements(lines) { line in
        var result = smaller(line.time, by: 5).map {
          Line(time: $0, signal: line.signal)
        }
        switch line.signal {
        case .value(let value):
          result += smaller(value).map { Line(time: line.time, signal: .value($0)) }
        case .failure: result.append(Line(time: line.time, signal: .finished))
        case .finished: break
        }
        return result
      }
    return result + simplerLines.map { Script(receiver: receiver, lines: $0) }
  }
}

extension DemandPlan {
  fileprivate var simpler: [DemandPlan] {
    guard initial != nil else { return [] }
    var plans: [DemandPlan] = []
    func add(_ change: (inout DemandPlan) -> Void) {
      var simpler = self
      change(&simpler)
      plans.append(simpler)
    }
    if rest != nil { add { $0.rest = nil } }
    if rest == .oneByOne { add { $0.rest = .unlimited } }
    for count in smaller(perValue) { add { $0.perValue = count } }
    let simplerRequests =
      shorter(requests)
      + simplerElements(requests) { request in
        smaller(request.time, by: 5).map { Request(time: $0, count: request.count) }
          + smaller(request.count, from: 1).map {
            Request(time: request.time, count: $0)
          }
      }
    for requests in simplerRequests { add { $0.requests = requests } }
    for count in smaller(initial ?? 0) { add { $0.initial = count } }
    return plans
  }
}
