import Foundation
import TestSupport
import Testing

@testable import Streams

@Suite struct ObservableObjectTests {
  class Person: ObservableObject {
    @Published var name = "Ada"
    @Published var age = 36
    var note = ""
  }

  let log = CallLog()

  // MARK: Order

  @Test func objectWillChangeComesBeforeThePropertysPublisherAndTheChange() {
    let person = Person()
    let values = person.$age.sink { [log] in log.append("age \($0), is \(person.age)") }
    let changes = person.objectWillChange.sink { [log] in log.append("will, is \(person.age)") }
    person.age = 37
    person.name = "Grace"
    person.note = "x"
    changes.cancel()
    values.cancel()
    person.age = 38
    expectEqual(log.lines, ["age 36, is 36", "will, is 36", "age 37, is 36", "will, is 37"])
  }

  /// Without a subject, the property's own storage announces and stores.
  @Test func aPropertyWithoutAPublisherAnnouncesItsChangeToo() {
    let person = Person()
    let cancellable = person.objectWillChange.sink { [log] in log.append(person.name) }
    person.name = "Grace"
    person.name += "!"
    expectEqual(log.lines, ["Ada", "Grace"])
    expectEqual(person.name, "Grace!")
    cancellable.cancel()
  }

  @Test func thePublisherOfAPropertyMayBeMadeInsideTheAnnouncement() {
    let person = Person()
    let history = History<Int, Never>(name: "age", log: log)
    var isSubscribed = false
    let cancellable = person.objectWillChange.sink { [log] in
      log.append("will")
      if !isSubscribed {
        isSubscribed = true
        person.$age.subscribe(history)
      }
    }
    person.age = 37
    person.age = 38
    expectEqual(
      log.lines,
      [
        "will", "age: subscription PublishedSubject", "age: value 36", "age: value 37", "will",
        "age: value 38",
      ])
    expectEqual(person.age, 38)
    cancellable.cancel()
  }

  @Test(arguments: [false, true])
  func aPropertyThatHasAPublisherBeforeOrAfterAnnouncesOnce(isBefore: Bool) {
    let person = Person()
    var history: History<Int, Never>?
    if isBefore { history = person.$age.history() }
    let changes = person.objectWillChange.history()
    if !isBefore { history = person.$age.history() }
    person.age = 37
    expectEqual(changes.values.count, 1)
    expectEqual(history?.values, [36, 37])
  }

  @Test func changingThePropertyInsideTheAnnouncementIsOverwritten() {
    let person = Person()
    var isNested = false
    let cancellable = person.objectWillChange.sink { [log] in
      log.append("will, is \(person.age)")
      guard !isNested else { return }
      isNested = true
      person.age = 1
    }
    person.age = 2
    expectEqual(log.lines, ["will, is 36", "will, is 36"])
    expectEqual(person.age, 2)
    cancellable.cancel()
  }

  // MARK: Which classes

  final class Employee: Person {
    @Published var company = "Analytical Engines"
    weak var manager: Person?
    lazy var badge = 7
  }

  class PlainBase {
    let padding = ("a", 1, false)
    @Published var base = 0
  }

  final class Derived: PlainBase, ObservableObject {
    @Published var derived = 0
  }

  class Box<Value>: ObservableObject {
    let flag = true
    let first: Value
    @Published var value: Value
    @Published private var list: [Value] = []
    init(_ value: Value) {
      first = value
      self.value = value
    }
    func append(_ value: Value) { list.append(value) }
  }

  final class StringBox<Other>: Box<String> {
    @Published var other: Other?
  }

  final class Reflected: ObservableObject, CustomReflectable {
    @Published var number = 0
    var customMirror: Mirror { Mirror(self, children: ["other": 1]) }
  }

  final class FoundationModel: NSObject, ObservableObject {
    @Published var number = 0
  }

  private struct Secret { var value = 0 }
  private final class Hidden: ObservableObject {
    @Published fileprivate var secret = Secret()
    @Published fileprivate var pair: (Int, Secret?) = (0, nil)
  }

  /// Counts the announcements of some changes.
  private func announcements<Model: ObservableObject>(
    of model: Model, _ changes: (Model) -> Void
  ) -> Int {
    var count = 0
    let cancellable = model.objectWillChange.sink { _ in count += 1 }
    changes(model)
    cancellable.cancel()
    changes(model)
    return count
  }

  /// One announcement for each change of a published property, whatever the class is like.
  @Test func findsThePropertiesOfAllKindsOfClasses() {
    let counts: [String: Int] = [
      "subclass": announcements(of: Employee()) {
        $0.name = "Grace"
        $0.company = "Eckert"
        $0.badge = 8
        $0.age = 1
      },
      "subclass of a class that isn't observable": announcements(of: Derived()) {
        $0.base = 1
        $0.derived = 1
      },
      "generic": announcements(of: Box(1)) {
        $0.value += 1
        $0.append(2)
      },
      "generic with a tuple": announcements(of: Box(("a", [1.5]))) {
        $0.value.1 = []
        $0.append(("", []))
      },
      "generic subclass of a generic class": announcements(of: StringBox<[Int]>("a")) {
        $0.value = "b"
        $0.append("c")
        $0.other = [1]
      },
      "custom mirror": announcements(of: Reflected()) { $0.number = 1 },
      "subclass of a Foundation class": announcements(of: FoundationModel()) { $0.number = 1 },
      "properties of private types": announcements(of: Hidden()) {
        $0.secret.value = 1
        $0.pair.0 = 1
      },
    ]
    expectEqual(
      counts,
      [
        "subclass": 3, "subclass of a class that isn't observable": 2, "generic": 2,
        "generic with a tuple": 2, "generic subclass of a generic class": 3, "custom mirror": 1,
        "subclass of a Foundation class": 1, "properties of private types": 2,
      ])
  }

  @Test func anObjectIsFoundThroughASuperclassOrAProtocol() {
    let employee = Employee()
    let person: Person = employee
    let some: any ObservableObject = employee
    #expect(person.objectWillChange === employee.objectWillChange)
    #expect(some.objectWillChange as? ObservableObjectPublisher === employee.objectWillChange)
    expectEqual(announcements(of: person) { _ in employee.company = "Eckert" }, 1)
  }

  /// A `Mirror` would copy the value of each property, and trap on this one.
  @Test func aReferenceToAnObjectThatHasGoneIsNotRead() {
    final class Child: ObservableObject {
      unowned var parent: Person
      @Published var number = 0
      init(parent: Person) { self.parent = parent }
    }
    var parent: Person? = Person()
    let child = parent.map(Child.init)!
    parent = nil
    expectEqual(announcements(of: child) { $0.number = 1 }, 1)
  }

  @Test func propertiesAreLookedUpOncePerClass() {
    final class Fresh: ObservableObject {
      @Published var number = 0
    }
    #expect(!ObservedClasses.knows(Fresh.self))
    expectEqual(announcements(of: Fresh()) { $0.number = 1 }, 1)
    #expect(ObservedClasses.knows(Fresh.self))
    expectEqual(announcements(of: Fresh()) { $0.number = 1 }, 1)
  }

  // MARK: The same publisher

  @Test func isTheSamePublisherEveryTime() {
    let person = Person()
    let publisher = person.objectWillChange
    _ = person.$age
    #expect(person.objectWillChange === publisher)
    #expect(Person().objectWillChange !== publisher)
  }

  /// The properties are set up in one initializer and replaced afterwards.
  @Test func aReplacedWrapperJoinsTheOthersAtTheNextCall() {
    final class Replacing: ObservableObject {
      @Published var first = 0
      @Published var second = 0
      func replace() { _first = Published(initialValue: 5) }
    }
    let model = Replacing()
    let publisher = model.objectWillChange
    model.replace()
    #expect(model.objectWillChange === publisher)
    expectEqual(announcements(of: model) { $0.first += 1 }, 1)
  }

  @Test func anObjectKeepsItsPublisherAndReleasesIt() {
    weak var publisher: ObservableObjectPublisher?
    do {
      let person = Person()
      publisher = person.objectWillChange
      _ = person.$age
      #expect(publisher != nil)
    }
    #expect(publisher == nil)
  }

  @Test func aSubscriptionToTheObjectDoesNotKeepIt() {
    weak var released: Person?
    let history: History<Void, Never>
    do {
      let person = Person()
      released = person
      history = person.objectWillChange.history()
    }
    #expect(released == nil)
    expectEqual(history.completion, nil)
  }

  // MARK: Without published properties

  final class Bare: ObservableObject {
    var number = 0 {
      willSet { objectWillChange.send() }
    }
    let onRelease: ((Bare) -> Void)?
    init(onRelease: ((Bare) -> Void)? = nil) { self.onRelease = onRelease }
    deinit { onRelease?(self) }
  }

  @Test func anObjectWithoutPublishedPropertiesHasOnePublisherToo() {
    let bare = Bare()
    let publisher = bare.objectWillChange
    #expect(bare.objectWillChange === publisher)
    #expect(Bare().objectWillChange !== publisher)
    expectEqual(announcements(of: bare) { $0.number = 1 }, 1)
  }

  @Test func itsPublisherLivesAsLongAsItsSubscribers() {
    let bare = Bare()
    let history = bare.objectWillChange.history()
    #expect(ObservedClasses.keepsPublisher(of: bare))
    bare.number = 1
    bare.number = 2
    expectEqual(history.values.count, 2)
    history.cancel()
    #expect(!ObservedClasses.keepsPublisher(of: bare))
    bare.number = 3
    #expect(!ObservedClasses.keepsPublisher(of: bare))
  }

  @Test func theTableDoesNotKeepTheObject() {
    weak var released: Bare?
    var publisher: ObservableObjectPublisher?
    do {
      let bare = Bare()
      released = bare
      publisher = bare.objectWillChange
    }
    #expect(released == nil)
    withExtendedLifetime(publisher) {}
  }

  @Test func anObjectAtTheAddressOfAnEarlierOneGetsItsOwnPublisher() {
    var others: [Bare] = []
    for _ in 0..<1_000 {
      var first: Bare? = Bare()
      let address = first.map(ObjectIdentifier.init)
      var publisher = first?.objectWillChange
      first = nil
      let second = Bare()
      others.append(second)
      guard ObjectIdentifier(second) == address else { continue }
      let own = second.objectWillChange
      #expect(own !== publisher)
      // The earlier object's publisher doesn't take this one's out.
      publisher = nil
      #expect(ObservedClasses.keepsPublisher(of: second))
      #expect(second.objectWillChange === own)
      return
    }
    Issue.record("no object got the address of an earlier one")
  }

  @Test func anObjectMaySendWhileItIsReleased() {
    weak var publisher: ObservableObjectPublisher?
    let history: History<Void, Never>
    do {
      let bare = Bare { [log] bare in
        bare.objectWillChange.send()
        log.append("released")
      }
      history = bare.objectWillChange.history()
      publisher = bare.objectWillChange
    }
    expectEqual(log.lines, ["released"])
    history.cancel()
    #expect(publisher == nil)
  }

  // MARK: An explicit publisher

  final class OwnPublisher: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    @Published var number = 0
  }

  final class OwnSubject: ObservableObject {
    let objectWillChange = PassthroughSubject<String, Never>()
    @Published var number = 0
  }

  @Test func withAnExplicitPublisherPropertiesDoNotSend() {
    let model = OwnPublisher()
    let count = announcements(of: model) {
      $0.number = 1
      $0.objectWillChange.send()
    }
    expectEqual(count, 1)
    expectEqual(model.$number.history().values, [1])
  }

  @Test func anExplicitPublisherMayBeASubject() {
    let model = OwnSubject()
    let history = model.objectWillChange.history()
    model.number = 1
    model.objectWillChange.send("number")
    expectEqual(history.values, ["number"])
  }

  // MARK: Threads and numbers

  @Test func threadsGetTheSamePublisher() {
    for _ in 0..<100 {
      // The threads use nothing but `objectWillChange`.
      nonisolated(unsafe) let person = Person()
      nonisolated(unsafe) let bare = Bare()
      let publishers = Locked<[ObservableObjectPublisher]>([])
      onThreads(4) { thread in
        let publisher = thread < 2 ? person.objectWillChange : bare.objectWillChange
        publishers.withLock { $0.append(publisher) }
      }
      let all = publishers.withLock { $0 }
      expectEqual(Set(all.map(ObjectIdentifier.init)).count, 2)
      expectEqual(announcements(of: person) { $0.age = 1 }, 1)
    }
  }

  /// A class on the main actor allows this, because `objectWillChange` isn't isolated.
  @Test func aThreadMaySubscribeToTheObjectWhileItsOwnerUsesTheProperties() {
    for _ in 0..<200 {
      nonisolated(unsafe) let person = Person()
      let changes = History<Void, Never>()
      onThreads(2) { thread in
        if thread == 0 {
          person.age = 1
          _ = person.$age
          person.age = 2
        } else {
          person.objectWillChange.subscribe(changes)
        }
      }
      changes.removeAll()
      person.age = 3
      person.name = "Grace"
      expectEqual(changes.values.count, 2)
    }
  }
}
