import Streams
import TestSupport
import VirtualTime

/// A publisher as a value: a source, and the operators applied to it in order.
///
/// Like each of its parts, it can be built, it has a model, and it can be printed.
struct Pipeline: Sendable {
  var source: PipelineSource
  var operators: [PipelineOperator] = []

  /// How many operators it has, including those of inner pipelines.
  var operatorCount: Int {
    operators.reduce(0) { $0 + 1 + $1.inners.reduce(0) { $0 + $1.operatorCount } }
  }

  /// The real publisher.
  func build(on bench: Workbench) -> AnyPublisher<Int, TestError> {
    operators.reduce(source.build(on: bench)) { $1.kind.build($0, $1, bench) }
  }

  /// The publisher's model.
  func model(of scripts: [Script]) -> StreamModel {
    var model = StreamModel(Pipeline(source: source), source.model(of: scripts).callAsFunction)
    for (index, step) in operators.enumerated() {
      let upstream = model
      let applied = Pipeline(source: source, operators: Array(operators[...index]))
      model = StreamModel(applied) { start in step.kind.model(upstream, step, scripts, start) }
    }
    return model
  }

  /// The publisher as Swift code.
  ///
  /// - Parameter indent: The column of the source, counted in steps of two spaces.
  func code(indent: Int = 1) -> String {
    let margin = String(repeating: "  ", count: indent + 1)
    return operators.reduce(source.code) { code, step in
      code + "\n" + margin + step.kind.code(step, indent + 1)
    }
  }
}

/// The objects that a run needs: the clock, and the subjects of the scripts.
struct Workbench {
  let clock: VirtualTimeScheduler
  let subjects: [AnyPublisher<Int, TestError>]
}

/// An operator of a pipeline.
struct PipelineOperator: Sendable {
  /// The operator.
  let kind: OperatorKind

  /// Its parameter: a count, a divisor, or a number of milliseconds.
  var number: Int

  /// Its other publisher: a second upstream, a replacement, or the publisher it makes for each
  /// value.
  var inner: Pipeline?

  /// Its third and further upstreams.
  var others: [Pipeline] = []

  /// All its other publishers.
  var inners: [Pipeline] { (inner.map { [$0] } ?? []) + others }
}

/// How an operator treats demand, as far as the model needs to know.
enum DemandRule: Hashable, Sendable {
  /// Requests pass upstream. Each value makes at most one value, within the call that brings it,
  /// and a value that makes none is replaced by a request for another.
  case passesOn
  /// Requests everything at once, whatever downstream requests, and publishes at most one result.
  /// If `waits`, the result waits for demand, and so does a finish without a result.
  case requestsAll(waits: Bool)
  /// Requests everything at once, and keeps some values until they're requested.
  case buffers(FullBuffer)
  /// Requests everything or a few values at once, and more as the publishers that it makes from
  /// them finish. It requests one value at a time from each of those.
  case flattens
  /// Anything else. Limited demand is checked by invariants only.
  case other
}

/// The action of a full buffer.
enum FullBuffer: String, Hashable, Sendable {
  case dropsOldest = ".dropOldest"
  case dropsNewest = ".dropNewest"
  case fails = ".customError { \"full\" }"

  var strategy: Publishers.BufferingStrategy<TestError> {
    switch self {
    case .dropsOldest: .dropOldest
    case .dropsNewest: .dropNewest
    case .fails: .customError { "full" }
    }
  }
}

/// When an operator requests everything from one of its publishers.
enum RequestRule: Sendable {
  /// When downstream requests everything.
  case asDownstream
  /// As soon as it has the subscription.
  case atOnce
  /// One value, and maybe another one for each that comes. The publisher has to deliver as if
  /// everything were requested at once.
  case oneByOne
  /// A few values, and more as others are done with. The publisher has to have a model of that.
  case limited
  /// Later than that, even if downstream requests everything at once.
  case later
}

/// How an operator treats signals that still come after downstream has cancelled.
enum CancelRule: Sendable {
  /// Stops them.
  case stops
  /// Passes them on, because it keeps no state. If nothing comes from upstream, nothing is left.
  case passesOn
  /// Once it has accepted the end, it delivers everything that it accepted. Otherwise it stops.
  case stopsUntilEnd
}

/// An operator with its three faces: how to build it, its model, and its code.
///
/// All kinds are in ``OperatorKind/all``. To add one, add it there.
struct OperatorKind: Sendable {
  /// The name, without parameters.
  let name: String

  /// The range of its parameter.
  let numbers: ClosedRange<Int>

  /// The distance between two parameters, such as 5 milliseconds.
  let stride: Int

  /// Whether it has another publisher.
  let hasInner: Bool

  /// How many more publishers it may have.
  let others: ClosedRange<Int>

  /// Whether it has to be subscribed to and asked for everything in one call to be modelled
  /// exactly.
  let needsImmediateDemand: Bool

  /// When it requests everything from upstream, and from its other publisher.
  let requests: (upstream: RequestRule, inner: RequestRule)

  /// Whether it can be subscribed to once only, because its subscribers share their upstream.
  let isShared: Bool

  let demand: DemandRule
  let cancel: CancelRule

  /// The real operator.
  let build:
    @Sendable (AnyPublisher<Int, TestError>, PipelineOperator, Workbench) -> AnyPublisher<
      Int, TestError
    >

  /// The model: a function from what upstream does to what downstream receives.
  let model: @Sendable (StreamModel, PipelineOperator, [Script], Start) -> StreamRun

  /// The code that applies it, such as `.prefix(2)`.
  let code: @Sendable (PipelineOperator, _ indent: Int) -> String

  init(
    _ name: String, _ numbers: ClosedRange<Int> = 0...0, by stride: Int = 1,
    hasInner: Bool = false, others: ClosedRange<Int> = 0...0, needsImmediateDemand: Bool = false,
    requests: (upstream: RequestRule, inner: RequestRule) = (.asDownstream, .asDownstream),
    isShared: Bool = false, demand: DemandRule = .other, cancel: CancelRule = .stops,
    code: @escaping @Sendable (PipelineOperator, Int) -> String,
    build:
      @escaping @Sendable (AnyPublisher<Int, TestError>, PipelineOperator, Workbench) ->
      AnyPublisher<Int, TestError>,
    model:
      @escaping @Sendable (StreamModel, PipelineOperator, [Script], Start) -> StreamRun
  ) {
    self.name = name
    self.numbers = numbers
    self.stride = stride
    self.hasInner = hasInner
    self.others = others
    self.needsImmediateDemand = needsImmediateDemand
    self.requests = requests
    self.isShared = isShared
    self.demand = demand
    self.cancel = cancel
    self.build = build
    self.model = model
    self.code = code
  }
}
