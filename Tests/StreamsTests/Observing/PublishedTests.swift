import Streams
import TestSupport
import Testing

@Suite struct PublishedTests {
  final class Model {
    @Published var number = 0
  }

  let model = Model()

  @Test func publishesTheCurrentValueAndThenEachNewOne() {
    model.number = 1
    let first = model.$number.history()
    model.number = 2
    let second = model.$number.history()
    model.number = 2
    model.number += 1
    #expect(
      first.events == [
        .subscription("PublishedSubject"), .value(1), .value(2), .value(2), .value(3),
      ])
    #expect(second.events == [.subscription("PublishedSubject"), .value(2), .value(2), .value(3)])
    #expect(model.number == 3)
  }

  @Test func aReceiverStillReadsTheOldValue() {
    let log = CallLog()
    let cancellable = model.$number.sink { [model] in log.append("\($0), is \(model.number)") }
    model.number = 1
    model.number = 2
    withExtendedLifetime(cancellable) {}
    #expect(log.lines == ["0, is 0", "1, is 0", "2, is 1"])
    #expect(model.number == 2)
  }
}
