import TestSupport
import Testing

@testable import Streams

/// Tests what only a published property does. It shares `CurrentValueHub` with
/// `CurrentValueSubject`, whose tests have demand, cancellation and subscribers that come and go.
@Suite struct PublishedTests {
  final class Model {
    @Published var number = 0
  }

  let model = Model()
  let log = CallLog()

  // MARK: Values

  @Test func publishesTheCurrentValueAndThenEachNewOne() {
    model.number = 1
    let first = model.$number.history()
    model.number = 2
    let second = model.$number.history()
    model.number = 2
    model.number += 1
    expectEqual(
      first.events, [.subscription("PublishedSubject"), .value(1), .value(2), .value(2), .value(3)])
    expectEqual(
      second.events, [.subscription("PublishedSubject"), .value(2), .value(2), .value(3)])
    expectEqual(model.number, 3)
  }

  @Test func aReceiverReadsTheOldValue() {
    let cancellable = model.$number.sink { [log, model] in log.append("\($0), is \(model.number)") }
    model.number = 1
    model.number = 2
    cancellable.cancel()
    model.number = 3
    expectEqual(log.lines, ["0, is 0", "1, is 0", "2, is 1"])
    expectEqual(model.number, 3)
  }

  @Test func aSubscriberAddedDuringASendGetsTheValueOfANestedChange() {
    nonisolated(unsafe) let model = model
    let publisher = model.$number
    let slow = SlowSubscriber<Never>(stopsAt: 1) { model.number = 2 }
    publisher.subscribe(slow.history)
    slow.onSenderThread { model.number = 1 }
    let newcomer = publisher.history()
    slow.goOn()
    // The newcomer gets the value under way, then the inner one, and no value twice.
    expectEqual(newcomer.values, [1, 2])
    expectEqual(slow.history.values, [0, 1, 2])
    expectEqual(model.number, 1)
  }

  @Test func thereIsASubjectOnlyOnceThePublisherIsAskedFor() {
    let model = Inspected()
    model.name += "b"
    expectEqual(model.name, "ab")
    #expect(!model.hasSubject)
    _ = model.$name
    #expect(model.hasSubject)
    expectEqual(model.name, "ab")
    model.name = "c"
    expectEqual(model.name, "c")
  }

  final class Inspected {
    @Published var name = "a"
    var hasSubject: Bool { _name.storage.hasSubject }
  }

  /// Replaces its wrapper, and so releases the storage whose change is under way.
  final class Replaced: ObservableObject {
    @Published var token = Token()

    func replace() -> Token {
      let token = Token()
      _token = Published(initialValue: token)
      return token
    }
  }

  @Test(arguments: [true, false])
  func aSubscriberMayReplaceTheWrapper(ofTheObject: Bool) {
    let model = Replaced()
    var replacement: Token?
    let replace = { if replacement == nil { replacement = model.replace() } }
    let cancellable =
      ofTheObject
      ? model.objectWillChange.sink(receiveValue: replace)
      : model.$token.dropFirst().sink { _ in replace() }
    weak var sent: Token?
    do {
      let token = Token()
      sent = token
      model.token = token
    }
    // The change went to the old storage.
    #expect(model.token === replacement)
    cancellable.cancel()
    #expect(sent == nil)
  }

  @Test func aValueMayReplaceTheWrapperWhenItIsReleased() {
    final class Last {
      let onRelease: () -> Void
      init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    final class Holder {
      @Published var last: Last? = nil
      func replace() { _last = Published(initialValue: nil) }
    }
    let holder = Holder()
    holder.last = Last { [weak holder] in holder?.replace() }
    holder.last = Last {}
    #expect(holder.last == nil)
  }

  final class Shapes {
    @Published var optional: Int?
    @Published var list = [1]
    @Published private(set) var guarded = "a"
    @Published(initialValue: 1) var labelled: Int
    @Published var late: Double
    @Published var closure: () -> Int = { 1 }
    @Published var observed = 0 { didSet { changes.append([oldValue, observed]) } }
    var changes: [[Int]] = []

    init() { late = 0.5 }
    init(late: Double) { _late = Published(initialValue: late) }
    func setGuarded() { guarded = "b" }
  }

  @Test func optionalsCollectionsAndOtherShapesWork() {
    let shapes = Shapes()
    let optional = shapes.$optional.history()
    shapes.optional = 1
    shapes.optional? += 1
    shapes.optional = nil
    let list = shapes.$list.history()
    shapes.list.append(2)
    shapes.list[0] = 3
    let guarded = shapes.$guarded.history()
    shapes.setGuarded()
    shapes.labelled += 1
    shapes.closure = { 2 }
    expectEqual(optional.values, [nil, 1, 2, nil])
    expectEqual(list.values, [[1], [1, 2], [3, 2]])
    expectEqual(guarded.values, ["a", "b"])
    expectEqual(shapes.$labelled.history().values, [2])
    expectEqual(shapes.$late.history().values, [0.5])
    expectEqual(Shapes(late: 2).late, 2)
    expectEqual(shapes.$closure.map { $0() }.history().values, [2])
  }

  @Test func anObserverOfThePropertyRunsAfterSubscribersAndSeesTheNewValue() {
    let shapes = Shapes()
    let cancellable = shapes.$observed.sink { [log] in
      log.append("\($0) after \(shapes.changes.count)")
    }
    shapes.observed = 1
    shapes.observed = 2
    cancellable.cancel()
    expectEqual(shapes.changes, [[0, 1], [1, 2]])
    expectEqual(log.lines, ["0 after 0", "1 after 0", "2 after 1"])
  }

  /// Only for `&model.$number`.
  @Test func settingThePublisherDoesNothing() {
    let other = Model()
    let history = model.$number.history()
    other.number = 5
    model.$number = other.$number
    model.number = 1
    other.number = 6
    expectEqual(history.values, [0, 1])
    expectEqual(model.number, 1)
    expectEqual(other.number, 6)
  }

  // MARK: From within a delivery

  @Test func anInnerChangeIsPublishedFirstAndThenOverwritten() {
    let first = History<Int, Never>(name: "first", log: log)
    let second = History<Int, Never>(name: "second", log: log)
    first.onValue = { [log, model] value in
      if value == 1 {
        model.number = 2
        log.append("inside it's \(model.number)")
      }
      return .none
    }
    model.$number.subscribe(first)
    model.$number.subscribe(second)
    log.removeAll()
    model.number = 1
    expectEqual(
      log.lines,
      [
        "first: value 1", "first: value 2", "second: value 2", "inside it's 2", "second: value 1",
      ])
    expectEqual(model.number, 1)
    expectEqual(model.$number.history().values, [1])
  }

  @Test func aSubscriberAddedAfterAnInnerChangeGetsTheValueThatStays() {
    let first = History<Int, Never>()
    let newcomer = History<Int, Never>()
    first.onValue = { [model] value in
      if value == 1 {
        model.number = 2
        model.$number.subscribe(newcomer)
      }
      return .none
    }
    model.$number.subscribe(first)
    model.number = 1
    expectEqual(newcomer.values, [1])
    model.number = 3
    expectEqual(newcomer.values, [1, 3])
  }

  /// It got the outer value before the inner one, and the outer one stays.
  @Test func aRequestAfterAnInnerChangeBringsTheValueThatStays() {
    let first = History<Int, Never>(demand: .max(3))
    let second = History<Int, Never>(demand: .max(2))
    let third = History<Int, Never>(demand: .max(3))
    first.onValue = { [model] value in
      if value == 1, first.values == [0, 1] { model.number = 2 }
      return .none
    }
    for history in [first, second, third] { model.$number.subscribe(history) }
    model.number = 1
    expectEqual(first.values, [0, 1, 2])
    expectEqual(second.values, [0, 2])
    expectEqual(third.values, [0, 2, 1])
    for history in [first, second, third] { history.request(1) }
    expectEqual(first.values, [0, 1, 2, 1])
    expectEqual(second.values, [0, 2, 1])
    // It has seen the newest value already.
    expectEqual(third.values, [0, 2, 1])
    model.number = 3
    expectEqual(third.values, [0, 2, 1, 3])
  }

  /// The subscriber is up to date with the outer value when the inner one arrives.
  @Test func aSubscriberThatCaughtUpGetsTheOuterValueAgainAfterAnInnerOne() {
    let first = History<Int, Never>()
    let late = History<Int, Never>(demand: .max(1))
    first.onValue = { [model] value in
      if value == 1 {
        late.request(5)
        model.number = 2
      }
      return .none
    }
    model.$number.subscribe(first)
    model.$number.subscribe(late)
    model.number = 1
    expectEqual(late.values, [0, 1, 2, 1])
    expectEqual(model.number, 1)
  }

  @Test func aChangeInTheFirstDeliveryIsKept() {
    let history = History<Int, Never>()
    history.onValue = { [model] value in
      if value == 0 { model.number = 1 }
      return .none
    }
    model.$number.subscribe(history)
    expectEqual(history.values, [0, 1])
    expectEqual(model.number, 1)
  }

  // MARK: Cancellation and release

  final class Keeper {
    @Published var token: Token?
    init(_ token: Token?) { self.token = token }
  }

  @Test(arguments: [false, true]) func anOldValueIsReleasedOnceItIsReplaced(isPublished: Bool) {
    let released = CallLog()
    let keeper = Keeper(Token { released.append("first") })
    // A subscriber that keeps nothing.
    let cancellable = isPublished ? keeper.$token.sink { _ in } : nil
    keeper.token = Token { released.append("second") }
    expectEqual(released.lines, ["first"])
    keeper.token = nil
    expectEqual(released.lines, ["first", "second"])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [false, true])
  func theReleaseOfAnOldValueMayUseTheProperty(isPublished: Bool) {
    let keeper = Keeper(nil)
    let log = log
    // Safe: all of it runs on this thread.
    nonisolated(unsafe) let unguarded = keeper
    let cancellable = isPublished ? keeper.$token.sink { _ in } : nil
    keeper.token = Token {
      log.append("\(unguarded.token == nil)")
      _ = unguarded.$token.sink { log.append("\($0 == nil)") }
    }
    keeper.token = nil
    withExtendedLifetime(cancellable) {}
    expectEqual(log.lines, ["true", "true"])
  }

  @Test func anObjectIsReleasedWithItsValuesAndWithoutACompletion() {
    weak var value: Token?
    weak var object: Keeper?
    let history: History<Token?, Never>
    do {
      let token = Token()
      let keeper = Keeper(token)
      value = token
      object = keeper
      history = keeper.$token.history()
    }
    #expect(object == nil)
    #expect(value != nil)
    expectEqual(history.completion, nil)
    history.cancel()
    history.removeAll()
    history.releaseSubscription()
    #expect(value == nil)
  }

  @Test func aPublisherOutlivesItsObject() {
    var publisher: Published<Int>.Publisher?
    do {
      let model = Model()
      model.number = 3
      publisher = model.$number
    }
    expectEqual(publisher?.history().values, [3])
  }

  // MARK: Threads

  @Test func threadsMaySubscribeAndCancelWhileTheOwnerChangesTheProperty() {
    let publisher = model.$number
    // Only thread 0 uses the object.
    nonisolated(unsafe) let model = model
    onThreads(4) { thread in
      for round in 0..<300 {
        if thread == 0 {
          model.number = round + 1
        } else {
          let history = publisher.history(demand: round % 2 == 0 ? .unlimited : .max(1))
          history.request(1)
          history.cancel()
          let values = history.values
          #expect(!values.isEmpty)
          expectEqual(values, values.sorted())
        }
      }
    }
    expectEqual(model.number, 300)
  }
}
