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
    #expect(notes.first == "value")
    #expect(
      notes.last?.hasPrefix("released: ") == true && notes.last?.contains("downstream") == true)
    #expect(notes.contains("failure") == fails)
    scene.onRelease = nil
  }

  @Test(arguments: Ending.allCases) func merge(_ ending: Ending) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(a.merge(with: b), demand: .max(1))
    a.send("1")
    a.send("2")
    b.send("3")
    #expect(scene.takeNotes() == ["value", "released: 1"])
    scene.end(
      ending,
      finish: {
        a.finish()
        b.finish()
        scene.subscription?.request(.max(2))
      },
      fail: { b.fail("error") }, deliver: { scene.subscription?.request(.max(1)) })
    let expected: [String] =
      switch ending {
      case .finish: ["value", "value", "finished", "released: 2, 3, a, b, downstream"]
      case .failure: ["a: cancel", "failure", "released: 2, 3, a, b, downstream, error"]
      case .cancellation: ["a: cancel", "b: cancel", "released: 2, 3, a, b, downstream"]
      case .cancellationInside:
        ["value", "a: cancel", "b: cancel", "released: 2, 3, a, b, downstream"]
      }
    #expect(scene.takeNotes() == expected)
  }

  @Test(arguments: Ending.allCases) func flatMap(_ ending: Ending) {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(outer.flatMap { $0 }, demand: .max(1))
    outer.send(value: a)
    outer.send(value: b)
    a.send("1")
    a.send("2")
    b.send("3")
    #expect(scene.takeNotes() == ["value", "released: 1"])
    scene.end(
      ending,
      finish: {
        outer.finish()
        a.finish()
        b.finish()
        scene.subscription?.request(.max(2))
      },
      fail: { a.fail("error") }, deliver: { scene.subscription?.request(.max(1)) })
    let cancellation = ["a: cancel", "b: cancel", "outer: cancel"]
    let released = "released: 2, 3, a, b, downstream"
    let expected: [String] =
      switch ending {
      case .finish: ["value", "value", "finished", "\(released), outer"]
      case .failure: ["b: cancel", "outer: cancel", "failure", "\(released), error, outer"]
      case .cancellation: cancellation + ["\(released), outer"]
      case .cancellationInside: ["value"] + cancellation + ["\(released), outer"]
      }
    #expect(scene.takeNotes() == expected)
  }

  @Test(arguments: Ending.allCases) func zip(_ ending: Ending) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(a.zip(b))
    a.send("1")
    a.send("2")
    #expect(scene.takeNotes() == [])
    scene.end(
      ending, finish: { b.finish() }, fail: { b.fail("error") }, deliver: { b.send("3") })
    let expected: [String] =
      switch ending {
      case .finish: ["finished", "a: cancel", "released: 1, 2, a, b, downstream"]
      case .failure: ["failure", "a: cancel", "released: 1, 2, a, b, downstream, error"]
      case .cancellation: ["a: cancel", "b: cancel", "released: 1, 2, a, b, downstream"]
      case .cancellationInside:
        ["value", "a: cancel", "b: cancel", "released: 1, 2, 3, a, b, downstream"]
      }
    #expect(scene.takeNotes() == expected)
  }

  @Test(arguments: Ending.allCases) func combineLatest(_ ending: Ending) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(a.combineLatest(b))
    a.send("1")
    scene.end(
      ending,
      finish: {
        a.finish()
        b.finish()
      }, fail: { b.fail("error") }, deliver: { b.send("2") })
    let expected: [String] =
      switch ending {
      case .finish: ["finished", "released: 1, a, b, downstream"]
      case .failure: ["a: cancel", "failure", "released: 1, a, b, downstream, error"]
      case .cancellation: ["a: cancel", "b: cancel", "released: 1, a, b, downstream"]
      case .cancellationInside:
        ["value", "a: cancel", "b: cancel", "released: 1, 2, a, b, downstream"]
      }
    #expect(scene.takeNotes() == expected)
  }

  @Test(arguments: Ending.allCases) func switchToLatest(_ ending: Ending) {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(outer.switchToLatest())
    outer.send(value: a)
    outer.send(value: b)
    b.send("1")
    #expect(scene.takeNotes() == ["a: cancel", "value", "released: 1, a"])
    scene.end(
      ending,
      finish: {
        b.finish()
        outer.finish()
      }, fail: { b.fail("error") }, deliver: { b.send("2") })
    let expected: [String] =
      switch ending {
      case .finish: ["finished", "released: b, downstream, outer"]
      case .failure: ["outer: cancel", "failure", "released: b, downstream, error, outer"]
      case .cancellation: ["b: cancel", "outer: cancel", "released: b, downstream, outer"]
      case .cancellationInside:
        ["value", "b: cancel", "outer: cancel", "released: 2, b, downstream, outer"]
      }
    #expect(scene.takeNotes() == expected)
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
    #expect(
      scene.takeNotes()
        == (isNested ? ["value"] : []) + ["a: cancel", "failure"]
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
    #expect(
      scene.takeNotes()
        == (zips ? ["value", "failure", "a: cancel"] : ["value", "a: cancel", "failure"])
        + ["released: 1, 2, a, b, downstream, error"])
    scene.onValue = nil
  }

  @Test func aFailureBeforeTheSubscriptionOfZip() {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    a.onSubscribe = { [unowned a] in a.fail("error") }
    scene.subscribe(a.zip(b))
    #expect(
      scene.takeNotes() == ["failure", "b: cancel", "released: a, b, downstream, error"])
  }

  @Test func onePublisherOfSeveralThatEndsReleasesItsSubscription() {
    let scene = ReleaseScene()
    let outer = scene.outerSource("outer")
    let (a, b) = (scene.source("a"), scene.source("b"))
    scene.subscribe(outer.flatMap { $0 })
    outer.send(value: a)
    outer.send(value: b)
    a.finish()
    #expect(scene.takeNotes() == ["released: a"])
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
    #expect(
      scene.takeNotes()
        == ["a: cancel"]
        + (isCancelled
          ? ["b: cancel", "released: 1, a, b, downstream"]
          : ["failure", "released: 1, a, b, downstream, error"]))
    scene.onRelease = nil
  }
}
