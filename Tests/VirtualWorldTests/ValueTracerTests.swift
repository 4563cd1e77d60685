import StreamsTesting
import TestSupport
import Testing

@testable import Streams

/// Only a world with a lane traces values, so no test changes the code that another one runs.
@Suite struct ValueTracerTests {
  private typealias Pair = Publishers.Zip<
    PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>
  >

  /// The type of the subscription that `zip` makes here.
  private static func zipsSubscription() -> String {
    var type = ""
    let pairs = Pair(PassthroughSubject(), PassthroughSubject())
    pairs.subscribe(
      AnySubscriber(receiveSubscription: {
        type = String(reflecting: Swift.type(of: $0))
        $0.cancel()
      }))
    return type
  }

  @Test func aWorldWithoutALaneRunsTheOperatorsThemselves() {
    let usual = Self.zipsSubscription()
    withWorld { _ in
      _ = Just(1).lane("a lane")
      #expect(Self.zipsSubscription().contains("Traced<"))
      withWorld { _ in #expect(Self.zipsSubscription() == usual) }
    }
    withWorld { _ in #expect(Self.zipsSubscription() == usual) }
    #expect(!usual.contains("Traced<"))
  }

  /// In a process of its own, because other tests have lanes too.
  @Test func theHookLeavesWithTheLastWorldThatHasALane() async {
    await #expect(processExitsWith: .success) {
      func run(inside check: () -> Void) {
        withWorld { world in
          Just(1).lane("a lane").sink { _ in }.store(in: &world.cancellables)
          check()
        }
      }
      precondition(!Introspection.isOn, "a hook before the first lane")
      run {
        precondition(Introspection.isOn, "no hook with a lane")
        run {}
        precondition(Introspection.isOn, "no hook in the outer world any more")
      }
      precondition(!Introspection.isOn, "the hook has stayed")
    }
  }

  /// `zip` is attached before the lanes above it, and its values are made of theirs anyway.
  @Test(.world) func theFirstPipelineIsTracedBelowItsLanesToo() throws {
    let world = try World.current
    let letters = world.source("letters", ("a", 0))
    let numbers = world.source("numbers", ("1", 100))
    letters.zip(numbers).sink { [timeline = world.timeline] in
      timeline.record(.printed($0 + $1), in: .console)
    }.store(in: &world.cancellables)
    world.run()
    let events = world.timeline.recording.events
    let values = events.filter { $0.lane != .console && $0.kind.isValue }.map(\.number)
    #expect(values.count == 2)
    #expect(events.last { $0.lane == .console }?.from == values)
  }
}
