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

  init() {}

  /// Reads the variables. An unusable value is an error, because another plan than the one that was
  /// asked for would be green and prove nothing.
  init(environment: [String: String]) throws(UnusableVariable) {
    /// The value of a variable, as a number in a range.
    func number<Number: FixedWidthInteger>(
      _ name: String, in range: ClosedRange<Number>, expected: String
    ) throws(UnusableVariable) -> Number? {
      guard let text = environment[name] else { return nil }
      guard let number = Number(text), range.contains(number) else {
        throw UnusableVariable(name: name, value: text, expected: expected)
      }
      return number
    }
    if environment["PIPELINE_SEED"] == "random" {
      seed = .random(in: 0...UInt64(UInt32.max))
    } else if let number = try number(
      "PIPELINE_SEED", in: 0...UInt64.max, expected: "a number or random")
    {
      seed = number
    }
    if let count = try number("PIPELINE_CASES", in: 1...Int.max, expected: "a number above 0") {
      cases = 0..<count
    }
    // The range of cases ends behind the index.
    if let index = try number(
      "PIPELINE_CASE", in: 0...Int.max - 1, expected: "a number from 0 to \(Int.max - 1)")
    {
      cases = index..<index + 1
    }
    isTraced = environment["PIPELINE_TRACE"] != nil
  }

  /// The part of the cases that have one subscriber.
  var single: RunPlan { withCount(cases.count - sharedCount) }

  /// The part of the cases that have several subscribers. One case alone is in both parts.
  var shared: RunPlan { withCount(max(1, sharedCount)) }

  private var sharedCount: Int { cases.count * 3 / 20 }

  private func withCount(_ count: Int) -> RunPlan {
    var result = self
    result.cases = cases.prefix(count)
    return result
  }

  /// A variable of the environment with a value that can't be used.
  struct UnusableVariable: Error, Equatable, CustomStringConvertible {
    let name: String
    let value: String
    let expected: String

    /// Such as `PIPELINE_SEED is 'abc', expected a number or random`.
    var description: String { "\(name) is '\(value)', expected \(expected)" }
  }

  /// Such as `10000 cases from PIPELINE_SEED=12`.
  var description: String {
    "\(cases.count) \(cases.count == 1 ? "case" : "cases") from PIPELINE_SEED=\(seed)"
  }

  /// Runs the cases up to the first one that fails, and shrinks that one.
  ///
  /// - Parameter onCase: Called with each case, before it runs.
  func findFailure<Case: RandomCase>(
    _ makeCase: (_ seed: UInt64, _ index: Int) -> Case, onCase: (Case) -> Void = { _ in }
  ) -> PipelineFailure<Case>? {
    for index in cases {
      let testCase = makeCase(seed, index)
      if isTraced { print("Case \(index)\n\(testCase.code(.none))") }
      onCase(testCase)
      guard testCase.findProblem() != nil else { continue }
      let smallest = Shrinker<Case> { $0.findProblem() != nil }.shrink(testCase)
      return PipelineFailure(
        seed: seed, index: index, testCase: smallest, problem: smallest.findProblem()!)
    }
    return nil
  }
}

/// A case that fails, as small as the shrinker could make it.
struct PipelineFailure<Case: RandomCase>: CustomStringConvertible {
  let seed: UInt64
  let index: Int
  let testCase: Case
  let problem: Problem

  /// How to run it again, and a test to paste.
  var description: String {
    """
    Case \(index) of seed \(seed) differs from the model.
    Run it again with PIPELINE_SEED=\(seed) PIPELINE_CASE=\(index). It shrinks to this test:

    \(testCase.code(problem))
    """
  }
}
