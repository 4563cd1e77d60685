import Testing

/// The choices that the variables of the environment make.
struct RunPlanTests {
  @Test func aSeedCanBeChosenOrDrawn() throws {
    #expect(RunPlan().seed == RunPlan().seed)
    #expect(try RunPlan(environment: ["PIPELINE_SEED": "7"]).seed == 7)
    #expect(try RunPlan(environment: ["PIPELINE_SEED": "\(UInt64.max)"]).seed == .max)
    let drawn = try (0..<3).map { _ in try RunPlan(environment: ["PIPELINE_SEED": "random"]).seed }
    #expect(Set(drawn).count > 1)
  }

  @Test func theCasesAreACountOrOneIndex() throws {
    #expect(try RunPlan(environment: [:]).cases == RunPlan().cases)
    #expect(try RunPlan(environment: ["PIPELINE_CASES": "5"]).cases == 0..<5)
    #expect(try RunPlan(environment: ["PIPELINE_CASE": "0"]).cases == 0..<1)
    let last = Int.max - 1
    #expect(try RunPlan(environment: ["PIPELINE_CASE": "\(last)"]).cases == last..<Int.max)
    let both = ["PIPELINE_CASE": "3", "PIPELINE_CASES": "5"]
    #expect(try RunPlan(environment: both).cases == 3..<4)
  }

  @Test func theTwoPartsAreAllCases() throws {
    #expect(RunPlan().single.cases == 0..<8_500)
    #expect(RunPlan().shared.cases == 0..<1_500)
    let one = try RunPlan(environment: ["PIPELINE_CASE": "3"])
    #expect(one.single.cases == 3..<4)
    #expect(one.shared.cases == 3..<4)
  }

  @Test func aPlanIsOneLine() throws {
    #expect("\(RunPlan())" == "10000 cases from PIPELINE_SEED=12")
    let one = ["PIPELINE_CASE": "3", "PIPELINE_SEED": "7"]
    #expect("\(try RunPlan(environment: one))" == "1 case from PIPELINE_SEED=7")
  }

  @Test(arguments: [
    ("PIPELINE_SEED", "abc", "a number or random"),
    ("PIPELINE_SEED", "-1", "a number or random"),
    ("PIPELINE_SEED", "", "a number or random"),
    ("PIPELINE_SEED", "Random", "a number or random"),
    ("PIPELINE_SEED", "18446744073709551616", "a number or random"),
    ("PIPELINE_CASES", "-5", "a number above 0"),
    ("PIPELINE_CASES", "0", "a number above 0"),
    ("PIPELINE_CASES", "1e6", "a number above 0"),
    ("PIPELINE_CASES", "", "a number above 0"),
    ("PIPELINE_CASE", "x", "a number from 0 to 9223372036854775806"),
    ("PIPELINE_CASE", "-1", "a number from 0 to 9223372036854775806"),
    ("PIPELINE_CASE", "", "a number from 0 to 9223372036854775806"),
    ("PIPELINE_CASE", "9223372036854775807", "a number from 0 to 9223372036854775806"),
  ])
  func anUnusableValueIsAnErrorOfOneLine(name: String, value: String, expected: String) {
    let error = #expect(throws: RunPlan.UnusableVariable.self) {
      try RunPlan(environment: [name: value])
    }
    #expect(error.map { "\($0)" } == "\(name) is '\(value)', expected \(expected)")
  }
}
