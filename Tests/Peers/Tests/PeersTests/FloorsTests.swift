import OurWorkloads
import Testing

@testable import bench_peers

@Suite struct FloorsTests {
  @Test func eachRowHasOneFloor() {
    #expect(Floors.all.map(\.name) == OurWorkloads.workloads.map(\.name))
  }

  @Test func aRowBelowItsFloorIsNamedWithBothFigures() {
    #expect(Floors.problem(of: "scan", lead: 10) == nil)
    #expect(
      Floors.problem(of: "scan", lead: 9.94)
        == "scan: 9.9 times as fast as OpenCombine, expected at least 10.0")
  }

  @Test func aNewRowNeedsAFloor() {
    #expect(Floors.problem(of: "new", lead: 99) == "new: has no floor. Add one to Floors.swift")
  }
}
