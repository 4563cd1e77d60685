/// A pipeline and everything that happens to it in one run.
struct PipelineCase: RandomCase {
  /// The values and ends that subjects and futures send.
  var scripts: [Script]

  var pipeline: Pipeline

  var demand = DemandPlan.unlimited

  /// When the subscriber cancels, if it does.
  var cancel: CancelPoint?

  /// The milliseconds after which a run stops.
  static let horizon = 300
}

/// The requests of a subscriber.
struct DemandPlan: Hashable, Sendable {
  struct Request: Hashable, Sendable {
    var time: Int
    var count: Int
  }

  /// The demand requested on receiving the subscription; `nil` for unlimited.
  var initial: Int?

  /// The demand returned for each value.
  var perValue = 0

  /// The demand requested later, by actions on the clock.
  var requests: [Request] = []

  /// How everything else is requested after all that, if it is.
  var rest: Rest?

  enum Rest: Hashable, Sendable {
    case unlimited
    /// One value at a time, until a request brings nothing.
    case oneByOne
  }

  /// When the rest is requested: later than any other request.
  static let restTime = 60

  static let unlimited = DemandPlan(initial: nil)
}

/// When a subscriber cancels.
enum CancelPoint: Hashable, Sendable {
  /// In an action at a time.
  case at(Int)
  /// Within the delivery of a value, counted from 1.
  case afterValue(Int)
}

// MARK: - What can be modelled

extension PipelineCase {
  /// Whether the model knows the exact history. If not, only rules and invariants are checked.
  var isExact: Bool { comparison == .exact }

  /// How a run is compared with the model.
  enum Comparison: String, CaseIterable {
    /// The whole history, with times.
    case exact
    /// The whole history after limited demand, without times.
    case whole
    /// The values are the first ones of the model.
    case prefix
    /// Only the rules for publishers are checked.
    case rules
  }

  /// How the run of this case is compared with the model.
  var comparison: Comparison {
    if demand == .unlimited { return .exact }
    if demand.rest != nil { return .whole }
    if pipeline.isLimitable { return .exact }
    return pipeline.isPulled && cancel == nil ? .prefix : .rules
  }

  /// Whether the case may run. Some combinations have no model, and some trap by design.
  var isValid: Bool {
    guard pipeline.isModelled(immediate: true) else { return false }
    if demand.rest != nil, cancel != nil || !pipeline.isPulled { return false }
    return demand == .unlimited || !pipeline.trapsOnSurplus
  }
}

extension Pipeline {
  /// All operators, including those of inner pipelines.
  var allOperators: [PipelineOperator] {
    operators.flatMap { [$0] + $0.inners.flatMap(\.allOperators) }
  }

  /// Whether there's a model of the pipeline.
  ///
  /// - Parameter immediate: Whether everything is requested of it on subscribing.
  func isModelled(immediate: Bool) -> Bool {
    var immediate = immediate
    for (index, step) in operators.enumerated().reversed() {
      if step.kind.needsImmediateDemand, !immediate { return false }
      // A shared upstream remembers that it has failed.
      if step.kind.name == "retry", isShared(upTo: index) { return false }
      for inner in step.inners {
        let requests = step.kind.requests.inner
        guard inner.isModelled(immediate: requests.isImmediate(immediate)) else { return false }
        if requests == .oneByOne, !inner.passesDemandOn(upTo: inner.operators.count) {
          return false
        }
      }
      if step.kind.requests.upstream == .oneByOne, !passesDemandOn(upTo: index) { return false }
      if step.kind.requests.upstream == .limited,
        !Pipeline(source: source, operators: Array(operators[..<index])).isLimitable
      {
        return false
      }
      immediate = step.kind.requests.upstream.isImmediate(immediate)
    }
    return true
  }

  /// Whether each request makes one value, if there is one, so that requests one by one bring
  /// everything.
  private func passesDemandOn(upTo index: Int) -> Bool {
    guard let last = operators[..<index].last(where: { $0.kind.demand != .passesOn }) else {
      return true
    }
    return last.kind.requests.upstream == .atOnce && !last.kind.hasInner
  }

  private func isShared(upTo index: Int) -> Bool {
    operators[..<index].contains { step in
      step.kind.isShared
        || step.inners.contains { $0.isShared(upTo: $0.operators.count) }
    }
  }

  /// Whether limited demand may trap: some operators publish values that weren't
  /// requested, and others trap on those or drop them, as in Combine.
  fileprivate var trapsOnSurplus: Bool {
    let names = Set(allOperators.map(\.kind.name))
    return mayExceedDemand
      && !names.isDisjoint(with: [
        "catch", "tryCatch", "retry", "replaceError", "switchToLatest", "append", "append(values)",
        "prepend", "prepend(values)",
      ])
  }

  /// Whether it may publish values that weren't requested, as in Combine.
  var mayExceedDemand: Bool {
    let names = [
      "zip", "zip(3 or 4)", "collect(_:)", "collect(byTime)", "collect(byTimeOrCount)",
      "replaceEmpty",
    ]
    return allOperators.contains { names.contains($0.kind.name) }
  }

  /// Whether its values are the same whatever the demand, and only come earlier or later: nothing
  /// depends on time, and nothing races.
  var isPulled: Bool {
    source.waitsForDemand
      && operators.indices.allSatisfy { index in
        operators[index].inners.allSatisfy(\.isPulled) && isPulled(at: index)
      }
  }

  /// Whether an operator keeps the values the same whatever the demand, at least below some
  /// upstream.
  static func mayPull(_ kind: OperatorKind) -> Bool {
    let nothing = Pipeline(source: .empty(completes: true))
    let step = PipelineOperator(
      kind: kind, number: kind.numbers.lowerBound, inner: kind.hasInner ? nothing : nil)
    return Pipeline(source: nothing.source, operators: [step]).isPulled
  }

  /// Whether an operator keeps it so that the values are the same whatever the demand.
  private func isPulled(at index: Int) -> Bool {
    let step = operators[index]
    let upstream = Pipeline(source: source, operators: Array(operators[..<index]))
    switch step.kind.name {
    case "measureInterval": return false
    case "catch", "tryCatch", "retry", "replaceError", "append", "append(values)", "prepend",
      "prepend(values)", "collect(_:)", "dropFirst", "replaceEmpty", "prefix(untilOutputFrom:)":
      return true
    case "drop(untilOutputFrom:)":
      // It drops requested values for as long as the other publisher sends nothing.
      return step.inner.map { !$0.pulledSignals.isEmpty } ?? false
    case "buffer(.keepFull, .dropOldest)":
      // A value that wasn't requested may find the buffer full. A failure may overtake values.
      return !upstream.mayExceedDemand && !upstream.pulledSignals.fails
    case "zip", "zip(3 or 4)":
      // A failure doesn't wait for the other upstream's values.
      return ([upstream] + step.inners).allSatisfy { !$0.pulledSignals.fails }
    case "merge", "merge(many)", "merge(2 to 8)":
      // Values of two upstreams take turns, depending on the demand. A failure doesn't wait for
      // values that were requested in advance.
      let signals = ([upstream] + step.inners).map(\.pulledSignals)
      return !signals.contains { $0.fails }
        && signals.count { $0 != [.finished] && !$0.isEmpty } < 2
    case "flatMap(maxPublishers:)" where step.number == 1:
      // One inner publisher after another. Failures don't wait.
      return upstream.isLimitable && ![upstream, step.inner!].contains { $0.pulledSignals.fails }
    case "flatMap", "flatMap(maxPublishers:)", "switchToLatest":
      // So do values of two inner publishers. A failure of upstream doesn't wait for an inner one.
      if step.kind.requests.upstream == .limited, !upstream.isLimitable { return false }
      let signals = upstream.pulledSignals
      if step.kind.name != "switchToLatest", step.inner?.pulledSignals.fails ?? false {
        return false
      }
      return signals.count { !$0.isEnd } <= (signals.fails ? 0 : 1)
    default:
      if case .requestsAll = step.kind.demand { return true }
      return step.kind.demand == .passesOn
    }
  }

  /// The signals that it sends if all values wait for demand, and everything is requested.
  private var pulledSignals: [Signal] { model(of: [])(Start(.start)).signals.map(\.signal) }
}

extension [Signal] {
  fileprivate var fails: Bool { if case .failure = last { true } else { false } }
}

extension RequestRule {
  func isImmediate(_ downstream: Bool) -> Bool {
    switch self {
    case .asDownstream: downstream
    case .atOnce, .oneByOne, .limited: true
    case .later: false
    }
  }
}
