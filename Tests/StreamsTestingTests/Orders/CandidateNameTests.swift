import Foundation
import Streams
import StreamsTesting
import Testing

/// Failures name what changed places, so that you can find it although much has the same name.
@Suite struct CandidateNameTests {
  /// What a failure says about the order in which two subscribers get a letter each.
  private static func reason<First: Publisher<String, Never>, Second: Publisher<String, Never>>(
    _ subscribers: (World) -> (First, Second)
  ) -> String? {
    let messages = issues {
      expectSameInEveryOrder { world -> String in
        let letters = Locked("")
        let (first, second) = subscribers(world)
        first.sink { text in letters.withLock { $0 += text + "1" } }.store(in: &world.cancellables)
        second.sink { text in letters.withLock { $0 += text + "2" } }.store(in: &world.cancellables)
        world.run()
        return letters.withLock { $0 }
      }
    }
    return messages.first?.split(separator: "\n").first { $0.hasPrefix("with ") }.map(String.init)
  }

  /// Two sources that one action of the script sends to.
  private static func letters(in world: World) -> [PassthroughSubject<String, Never>] {
    let letters = [PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()]
    world.at(.milliseconds(1)) {
      letters[0].send("x")
      letters[1].send("y")
    }
    return letters
  }

  @Test func workWithTheSameNameIsToldApartByWhatItFollowsFrom() {
    let reason = Self.reason { world in
      let letters = Self.letters(in: world)
      return (
        letters[0].lane("x").receive(on: DispatchQueue.global()),
        letters[1].lane("y").receive(on: DispatchQueue.global())
      )
    }
    #expect(
      reason
        == "with 1ms: the work for com.apple.root.default-qos (after y: value y) before the work for "
        + "com.apple.root.default-qos (after x: value x):")
  }

  @Test func workThatFollowsFromTheSameEventIsNumbered() {
    let reason = Self.reason { world in
      let letters = world.hot("-x|").lane("x").share()
      return (
        letters.receive(on: DispatchQueue.global()), letters.receive(on: DispatchQueue.global())
      )
    }
    #expect(
      reason
        == "with 1ms: the work for com.apple.root.default-qos (after x: value x, number 2) before the "
        + "work for com.apple.root.default-qos (after x: value x, number 1):")
  }

  @Test func timersThatWereSetAtOneInstantAreToldApart() {
    let reason = Self.reason { world in
      let letters = Self.letters(in: world)
      return (
        letters[0].lane("x")
          .debounce(for: .milliseconds(2), scheduler: DispatchQueue(label: "first")),
        letters[1].lane("y")
          .debounce(for: .milliseconds(2), scheduler: DispatchQueue(label: "second"))
      )
    }
    #expect(
      reason == "with 3ms: the timer set at 1ms (after y: value y) before the timer set at 1ms "
        + "(after x: value x):")
  }
}
