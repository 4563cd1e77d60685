import Foundation
import Streams
import TestSupport
import Testing
import VirtualTime

/// Random pipelines, each compared with the reference model.
struct RandomPipelineTests {
  @Test func randomPipelinesDoWhatTheModelSays() throws {
    let plan = try RunPlan(environment: ProcessInfo.processInfo.environment)
    print("Random pipelines: \(plan)")
    let failure = plan.findFailure(PipelineGenerator())
    if let failure { Issue.record("\(failure)") }
  }
}
