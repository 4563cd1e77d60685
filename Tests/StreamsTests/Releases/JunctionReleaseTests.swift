import Streams
import TestSupport
import Testing

/// Compares everything that a junction releases at its end, although both of its ends are kept.
struct JunctionReleaseTests {
  typealias Ending = ReleaseScene.Ending

  enum Meeting: CaseIterable { case merge, flatMap, switchToLatest, zip, combineLatest }

  /// A thread that delivers would wait for the gate.
  @Test(arguments: Meeting.allCases, [false, true])
  func downstreamIsReleasedOutsideTheGate(_ meeting: Meeting, fails: Bool) {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    switch meeting {
    case .merge: scene.subscribe(a.merge(with: b))
    case .flatMap: scene.subscribe(outer.flatMap { $0 })
    case .switchToLatest: scene.subscribe(outer.switchToLatest())
    case .zip: scene.subscribe(a.zip(b))
    case .combineLatest: scene.subscribe(a.combineLatest(b))
    }
    for source in [a, b] { outer.send(value: source) }
    a.send("1")
    _ = scene.takeNotes()
    scene.onValue = { [unowned scene] in
      if fails { b.fail("error") } else { scene.subscription?.cancel() }
    }
    // This thread waits for the other one.
    nonisolated(unsafe) let sender = b
    scene.onRelease = { onAnotherThread { sender.send("3") } }
    b.send("2")
    let notes = scene.takeNotes()
    expectEqual(notes.first, "value")
    #expect(
      notes.last?.hasPrefix("released: ") == true && notes.last?.contains("downstream") == true)
    expectEqual(notes.contains("failure"), fails)
    scene.onRelease = nil
  }

  /// Before the end, values wait wherever the junction lets them.
  @Test(arguments: Meeting.allCases, Ending.allCases)
  func everythingIsReleasedAtTheEnd(_ meeting: Meeting, _ ending: Ending) {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    switch meeting {
    case .merge: scene.subscribe(a.merge(with: b), demand: .max(1))
    case .flatMap: scene.subscribe(outer.flatMap { $0 }, demand: .max(1))
    case .switchToLatest: scene.subscribe(outer.switchToLatest(), demand: .max(1))
    case .zip: scene.subscribe(a.zip(b), demand: .max(1))
    case .combineLatest: scene.subscribe(a.combineLatest(b), demand: .max(1))
    }
    for source in [a, b] { outer.send(value: source) }
    a.send("1")
    a.send("2")
    b.send("3")
    var released = names(scene.takeNotes())
    scene.end(
      ending,
      finish: {
        a.finish()
        b.finish()
        outer.finish()
        scene.subscription?.request(.unlimited)
      }, fail: { b.fail("error") },
      deliver: {
        scene.subscription?.request(.max(1))
        b.send("4")
      })
    let notes = scene.takeNotes()
    released += names(notes)
    expectEqual(notes.dropLast().joined(separator: ", "), calls(meeting, ending))
    let flattens = meeting == .flatMap || meeting == .switchToLatest
    expectEqual(
      released.sorted(),
      ["1", "2", "3"] + (ending == .cancellationInside ? ["4"] : []) + ["a", "b", "downstream"]
        + (ending == .failure ? ["error"] : []) + (flattens ? ["outer"] : []))
  }

  private func names(_ notes: [String]) -> [String] {
    let prefix = "released: "
    guard let line = notes.last, line.hasPrefix(prefix) else { return [] }
    return line.dropFirst(prefix.count).split(separator: ", ").map(String.init)
  }

  /// What the ending delivers and cancels.
  private func calls(_ meeting: Meeting, _ ending: Ending) -> String {
    let cancellations =
      switch meeting {
      case .merge, .zip, .combineLatest: "a: cancel, b: cancel"
      case .flatMap: "a: cancel, b: cancel, outer: cancel"
      case .switchToLatest: "b: cancel, outer: cancel"
      }
    return switch (ending, meeting) {
    case (.finish, .merge), (.finish, .flatMap): "value, value, finished"
    case (.finish, _): "finished"
    case (.failure, .zip): "failure, a: cancel"
    case (.failure, .flatMap): "a: cancel, outer: cancel, failure"
    case (.failure, .switchToLatest): "outer: cancel, failure"
    case (.failure, _): "a: cancel, failure"
    case (.cancellation, _): cancellations
    case (.cancellationInside, _): "value, \(cancellations)"
    }
  }

  /// The failure comes from outside a delivery, or from within one.
  @Test(arguments: [true, false], [false, true])
  func theFailureOfUpstream(flattens: Bool, isNested: Bool) {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let a = scene.source("a")
    if flattens {
      scene.subscribe(outer.flatMap { $0 })
    } else {
      scene.subscribe(outer.switchToLatest())
    }
    outer.send(value: a)
    if isNested {
      scene.onValue = { outer.fail("error") }
      a.send("1")
    } else {
      outer.fail("error")
    }
    expectEqual(
      scene.takeNotes(),
      (isNested ? ["value"] : []) + ["a: cancel", "failure"]
        + ["released: " + (isNested ? "1, " : "") + "a, downstream, error, outer"])
    scene.onValue = nil
  }

  @Test(arguments: [false, true]) func aFailureInADeliveryOfCombinedValues(zips: Bool) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    if zips { scene.subscribe(a.zip(b)) } else { scene.subscribe(a.combineLatest(b)) }
    scene.onValue = { b.fail("error") }
    a.send("1")
    b.send("2")
    expectEqual(
      scene.takeNotes(),
      (zips ? ["value", "failure", "a: cancel"] : ["value", "a: cancel", "failure"])
        + ["released: 1, 2, a, b, downstream, error"])
    scene.onValue = nil
  }

  @Test func aFailureBeforeTheSubscriptionOfZip() {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    a.onSubscribe = { [unowned a] in a.fail("error") }
    scene.subscribe(a.zip(b))
    expectEqual(
      scene.takeNotes(), ["failure", "b: cancel", "released: a, b, downstream, error"])
  }

  @Test func onePublisherOfSeveralThatEndsReleasesItsSubscription() {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(outer.flatMap { $0 })
    outer.send(value: a)
    outer.send(value: b)
    a.finish()
    expectEqual(scene.takeNotes(), ["released: a"])
  }

  /// A thread that delivers would wait for the gate.
  @Test(arguments: [false, true]) func downstreamIsReleasedOutsideTheGate(isCancelled: Bool) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(a.merge(with: b))
    scene.onRelease = {
      nonisolated(unsafe) let a = a
      onAnotherThread { a.send("1") }
    }
    if isCancelled { scene.subscription?.cancel() } else { b.fail("error") }
    expectEqual(
      scene.takeNotes(),
      ["a: cancel"]
        + (isCancelled
          ? ["b: cancel", "released: 1, a, b, downstream"]
          : ["failure", "released: 1, a, b, downstream, error"]))
    scene.onRelease = nil
  }
}
