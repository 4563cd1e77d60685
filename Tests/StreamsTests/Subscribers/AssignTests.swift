import Streams
import TestSupport
import Testing

@Suite struct AssignTests {
  final class Label {
    let log: CallLog
    var onChange: ((Int) -> Void)?
    var number = 0 {
      didSet {
        log.append("\(number)")
        onChange?(number)
      }
    }

    init(log: CallLog) { self.log = log }
    deinit { log.append("released") }
  }

  typealias Assign = Subscribers.Assign<Label, Int>

  let log = CallLog()
  let source = ScriptedPublisher<Int, Never>()

  @Test func setsThePropertyToEachValueWithUnlimitedDemand() {
    let label = Label(log: log)
    let cancellable = source.assign(to: \.number, on: label)
    expectEqual(source.send(1), .none)
    expectEqual(source.send(2), .none)
    source.finish()
    source.send(3)
    cancellable.cancel()
    expectEqual(log.lines, ["1", "2"])
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func cancelsUpstreamOnceAndSetsNothingMore() {
    let label = Label(log: log)
    let assign = Assign(object: label, keyPath: \.number)
    source.subscribe(assign)
    source.send(1)
    assign.cancel()
    assign.cancel()
    source.send(2)
    expectEqual(log.lines, ["1"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aReleasedCancellableCancels() {
    var cancellable: AnyCancellable? = source.assign(to: \.number, on: Label(log: log))
    #expect(cancellable != nil)
    expectEqual(log.lines, [])
    cancellable = nil
    expectEqual(log.lines, ["released"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func ignoresValuesBeforeItsSubscription() {
    let assign = Assign(object: Label(log: log), keyPath: \.number)
    expectEqual(assign.receive(1), .none)
    source.subscribe(assign)
    source.send(2)
    expectEqual(log.lines, ["2"])
  }

  @Test func aSecondSubscriptionIsCancelledAndNothingElse() {
    let assign = Assign(object: Label(log: log), keyPath: \.number)
    source.subscribe(assign)
    let second = source.sendSubscription()
    source.send(1)
    source.finish()
    let third = source.sendSubscription()
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
    expectEqual(second.calls, [.cancel])
    expectEqual(third.calls, [.cancel])
    expectEqual(log.lines, ["1", "released"])
  }

  @Test(arguments: [true, false]) func releasesTheObjectAtTheEnd(isCancelled: Bool) {
    let assign = Assign(object: Label(log: log), keyPath: \.number)
    source.subscribe(assign)
    #expect(assign.object != nil)
    expectEqual(log.lines, [])
    if isCancelled { assign.cancel() } else { source.finish() }
    #expect(assign.object == nil)
    expectEqual(log.lines, ["released"])
  }

  @Test func aCancellationBeforeItsSubscriptionEndsIt() {
    let assign = Assign(object: Label(log: log), keyPath: \.number)
    assign.cancel()
    source.subscribe(assign)
    source.send(1)
    expectEqual(log.lines, ["released"])
    expectEqual(source.calls, [.cancel])
  }

  @Test func aCompletionBeforeItsSubscriptionEndsIt() {
    let assign = Assign(object: Label(log: log), keyPath: \.number)
    assign.receive(completion: .finished)
    source.subscribe(assign)
    source.send(1)
    expectEqual(log.lines, ["released"])
    expectEqual(source.calls, [.cancel])
  }

  @Test func valuesAndACancellationInsideAValueAreAllowed() {
    let label = Label(log: log)
    let assign = Assign(object: label, keyPath: \.number)
    source.subscribe(assign)
    label.onChange = { [source] value in
      if value == 1 { source.send(2) }
      if value == 2 { assign.cancel() }
      if value == 2 { source.send(3) }
    }
    source.send(1)
    label.onChange = nil
    expectEqual(log.lines, ["1", "2"])
  }

  /// A released object may call the subscriber in its `deinit`, because no lock is held then.
  @Test(arguments: [true, false]) func theObjectMayCallBackDuringItsRelease(isCancelled: Bool) {
    final class Caller {
      var number = 0
      var onRelease: () -> Void = {}
      deinit { onRelease() }
    }
    func makeAssign() -> Subscribers.Assign<Caller, Int> {
      let caller = Caller()
      let assign = Subscribers.Assign(object: caller, keyPath: \.number)
      caller.onRelease = { [log, weak assign] in
        assign?.cancel()
        assign?.receive(completion: .finished)
        log.append("\(assign == nil), \(assign?.receive(1) == Subscribers.Demand.none)")
      }
      return assign
    }
    let assign = makeAssign()
    source.subscribe(assign)
    if isCancelled { assign.cancel() } else { source.finish() }
    withExtendedLifetime(assign) { expectEqual(log.lines, ["false, true"]) }
  }

  @Test func isCalledAssignAndTheTypeOfTheObject() {
    let label = Label(log: log)
    let assign = Assign(object: label, keyPath: \.number)
    expectEqual(assign.description, "Assign Label.")
    expectEqual(assign.playgroundDescription as? String, "Assign Label.")
    let children = Array(assign.customMirror.children)
    expectEqual(children.map(\.label), ["object", "keyPath", "status"])
    #expect(children[0].value as? Label === label)
    #expect(children[1].value as? ReferenceWritableKeyPath<Label, Int> == \.number)
  }

  @Test func threadsMayDeliverWhileOneCancels() {
    final class Cell: Sendable {
      let numbers = Locked<[Int]>([])
      var number: Int {
        get { 0 }
        set { numbers.withLock { $0.append(newValue) } }
      }
    }
    for _ in 0..<100 {
      weak var released: Cell?
      do {
        let cell = Cell()
        released = cell
        let source = ScriptedPublisher<Int, Never>()
        nonisolated(unsafe) let assign = Subscribers.Assign(object: cell, keyPath: \.number)
        source.subscribe(assign)
        onThreads(2) { thread in
          if thread == 1 { return assign.cancel() }
          for value in 0..<20 { source.send(value) }
        }
        let numbers = cell.numbers.withLock { $0 }
        expectEqual(numbers, Array(0..<numbers.count))
        expectEqual(source.calls, [.request(.unlimited), .cancel])
      }
      #expect(released == nil)
    }
  }
}
