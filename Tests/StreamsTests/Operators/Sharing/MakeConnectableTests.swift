import Streams
import TestSupport
import Testing

@Suite struct MakeConnectableTests {
  @Test func waitsForConnect() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let connectable = source.makeConnectable()
    let first = connectable.history()
    let second = connectable.history()
    log.expect([])
    let connection = connectable.connect()
    source.send(1)
    expectEqual(first.values, [1])
    expectEqual(second.values, [1])
    connection.cancel()
    log.expect(["upstream: subscribe", "upstream: request unlimited", "upstream: cancel"])
  }

  @Test func autoconnectDoesNotWait() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.makeConnectable().autoconnect()
    let first = automatic.history()
    source.send(1)
    let second = automatic.history()
    source.send(2)
    expectEqual(first.values, [1, 2])
    expectEqual(second.values, [2])
    expectEqual(source.subscriberCount, 1)
  }
}
