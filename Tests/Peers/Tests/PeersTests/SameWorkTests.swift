import OpenCombineWorkloads
import OurWorkloads
import PeerSupport
import Testing

/// Tests that both libraries and the loops do the same work. A benchmark of something that delivers
/// other values would compare nothing.
@Suite(.serialized) struct SameWorkTests {
  @Test func bothLibrariesHaveTheSameWorkloads() {
    #expect(OurWorkloads.workloads.map(\.name) == OpenCombineWorkloads.workloads.map(\.name))
    #expect(OurWorkloads.footprints.map(\.name) == OpenCombineWorkloads.footprints.map(\.name))
  }

  @Test(arguments: OurWorkloads.workloads.indices)
  func bothLibrariesDeliverTheSameValues(_ index: Int) {
    let ours = OurWorkloads.workloads[index]
    let openCombine = OpenCombineWorkloads.workloads[index]
    #expect(sum(ours.run) == sum(openCombine.run), "\(ours.name)")
  }

  /// The sum of the values that reach the end of the chain.
  private func sum(_ work: () -> Void) -> Int {
    Closures.total = 0
    work()
    return Closures.total
  }
}
