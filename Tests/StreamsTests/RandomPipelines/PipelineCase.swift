/// A pipeline and everything that happens to it in one run.
struct PipelineCase: Sendable {
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
  var isExact: Bool { demand == .unlimited || feed != nil }

  /// Whether the case may run. Some combinations have no model, and some trap by design.
  var isValid: Bool {
    guard pipeline.isModelled(immediate: true) else { return false }
    return demand == .unlimited || !pipeline.trapsOnSurplus
  }
}

extension Pipeline {
  /// All operators, including those of inner pipelines.
  var allOperators: [PipelineOperator] {
    operators.flatMap { [$0] + ($0.inner?.allOperators ?? []) }
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
      if let inner = step.inner {
        let requests = step.kind.requests.inner
        guard inner.isModelled(immediate: requests.isImmediate(immediate)) else { return false }
        if requests == .oneByOne, !inner.passesDemandOn(upTo: inner.operators.count) {
          return false
        }
      }
      if step.kind.requests.upstream == .oneByOne, !passesDemandOn(upTo: index) { return false }
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
        || (step.inner.map { $0.isShared(upTo: $0.operators.count) } ?? false)
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
      "zip", "collect(_:)", "collect(byTime)", "collect(byTimeOrCount)", "replaceEmpty",
    ]
    return allOperators.contains { names.contains($0.kind.name) }
  }

  /// Whether its values are the same whatever the demand, and only come earlier or later: nothing
  /// depends on time, and nothing races.
  var isPulled: Bool {
    source.waitsForDemand
      && operators.allSatisfy { step in
        let isOrdered = [
          "catch", "tryCatch", "retry", "replaceError", "append", "append(values)", "prepend",
          "prepend(values)", "collect(_:)", "zip", "dropFirst",
        ].contains(step.kind.name)
        let isReduction = if case .requestsAll = step.kind.demand { true } else { false }
        let isSieve = step.kind.demand == .passesOn && step.kind.name != "measureInterval"
        return (isSieve || isReduction || isOrdered) && step.inner?.isPulled ?? true
      }
  }
}

extension RequestRule {
  func isImmediate(_ downstream: Bool) -> Bool {
    switch self {
    case .asDownstream: downstream
    case .atOnce, .oneByOne: true
    case .later: false
    }
  }
}
