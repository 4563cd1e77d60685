import Foundation

/// Which random cases to run.
///
/// By default the seed is fixed, so that a change that breaks nothing stays green. These variables
/// of the environment change that:
///
/// - `PIPELINE_SEED`: a number, or `random` for a new seed.
/// - `PIPELINE_CASES`: how many cases to run, such as `1000000`.
/// - `PIPELINE_CASE`: the only case to run, by its index.
/// - `PIPELINE_TRACE`: if set, each case is printed before it runs. If one stops the program, it's
///   the last one printed.
struct RunPlan: CustomStringConvertible {
  var seed: UInt64 = 12
  var cases = 0..<10_000
  var isTraced = false

  init(environment: [String: String] = [:]) {
    if let text = environment["PIPELINE_SEED"] {
      seed = text == "random" ? .random(in: 0...UInt64(UInt32.max)) : UInt64(text)!
    }
    if let text = environment["PIPELINE_CASES"] { cases = 0..<Int(text)! }
    if let text = environment["PIPELINE_CASE"] { cases = Int(text)!..<Int(text)! + 1 }
    isTraced = environment["PIPELINE_TRACE"] != nil
  }

  /// Such as `10000 cases from PIPELINE_SEED=12`.
  var description: String { "\(cases.count) cases from PIPELINE_SEED=\(seed)" }

  /// Runs the cases up to the first one that fails, and shrinks that one.
  ///
  /// - Parameter onCase: Called with each case, before it runs.
  func findFailure(
    _ generator: PipelineGenerator, onCase: (PipelineCase) -> Void = { _ in }
  ) -> PipelineFailure? {
    for index in cases {
      let testCase = generator.makeCase(seed: seed, index: index)
      if isTraced {
        print("Case \(index)\n\(PipelinePrinter(testCase: testCase, problem: .none).code())")
      }
      onCase(testCase)
      guard testCase.findProblem() != nil else { continue }
      let smallest = Shrinker { $0.findProblem() != nil }.shrink(testCase)
      return PipelineFailure(
        seed: seed, index: index, testCase: smallest, problem: smallest.findProblem()!)
    }
    return nil
  }
}

/// A case that fails, as small as the shrinker could make it.
struct PipelineFailure: CustomStringConvertible {
  let seed: UInt64
  let index: Int
  let testCase: PipelineCase
  let problem: Problem

  /// How to run it again, and a test to paste.
  var description: String {
    """
    Case \(index) of seed \(seed) differs from the model.
    Run it again with PIPELINE_SEED=\(seed) PIPELINE_CASE=\(index). It shrinks to this test:

    \(PipelinePrinter(testCase: testCase, problem: problem).code())
    """
  }
}
