import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ReplaceNilTests {
  @Test func eachNilIsReplacedAndOtherValuesPass() {
    let source = ScriptedPublisher<Int?, TestError>()
    let history = source.replaceNil(with: 0).history()
    for value in [1, nil, 3, nil] { source.send(value) }
    source.fail("no more")
    expectEqual(history.text, "upstream: 1 0 3 0 x(no more)")
  }

  @Test func onlyOneLevelOfOptionalsIsRemoved() {
    let source = ScriptedPublisher<Int??, Never>()
    let history = source.replaceNil(with: 0 as Int?).history()
    for value in [.some(.some(1)), .some(nil), .none] as [Int??] { source.send(value) }
    expectEqual(history.values, [1, nil, 0])
  }
}
