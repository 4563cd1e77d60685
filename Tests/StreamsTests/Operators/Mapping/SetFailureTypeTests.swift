import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct SetFailureTypeTests {
  @Test func aSecondTypeReplacesTheFirst() {
    let publisher: Publishers.SetFailureType<Single, any Error> = Single(value: 1)
      .setFailureType(to: TestError.self).setFailureType(to: (any Error).self)
    expectEqual(publisher.upstream, Single(value: 1))
    expectEqual(publisher.history().values, [1])
  }
}
