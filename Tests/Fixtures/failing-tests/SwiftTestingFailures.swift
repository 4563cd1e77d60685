import StreamsTesting
import Testing

struct SwiftTestingFailures {
  @Test func inTheTest() { expectNothing("in the test") }

  @Test func inATask() async {
    await Task { expectNothing("in a task") }.value
    await Task.detached { expectNothing("in a detached task") }.value
  }

  @Test func inAGroup() async {
    await withTaskGroup { group in
      group.addTask { expectNothing("in a group") }
    }
  }

  @Test func onAThreadOfItsOwn() { onAThread { expectNothing("on a thread") } }
}
