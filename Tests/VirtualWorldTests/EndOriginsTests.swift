import StreamsTesting
import TestSupport
import Testing

/// What comes after the end of a publisher isn't made of the value that led to the end.
@Suite(.world) struct EndOriginsTests {
  private let world: World

  init() throws { world = try World.current }

  @Test(arguments: [
    Sequel("append") { $0.prefix(1).filter { _ in false }.append("z") },
    Sequel("replaceEmpty") { $0.prefix(1).filter { _ in false }.replaceEmpty(with: "z") },
    Sequel("replaceError") {
      $0.failing.replaceError(with: "z").setFailureType(to: TestError.self)
    },
    Sequel("catch") { $0.failing.catch { _ in Just("z").setFailureType(to: TestError.self) } },
    Sequel("tryCatch") { $0.failing.tryCatch { _ in Just("z") } },
    Sequel("retry") { letters in
      let isFirst = Locked(true)
      return Deferred {
        isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
            ? letters.failing : Just("z").setFailureType(to: TestError.self).eraseToAnyPublisher()
        }
      }
      .retry(1)
    },
  ])
  private func theSequelIsMadeOfNothing(_ sequel: Sequel) {
    let letters = world.source("letters", ("a", 0), ("b", 100))
    let publisher = sequel.apply(letters.setFailureType(to: TestError.self).eraseToAnyPublisher())
    #expect(world.origins(of: publisher) == ["value z:  <- letters value a"])
  }

  @Test func inAnInnerPublisherItIsMadeOfTheOuterValue() {
    let users = world.source("users", ("A", 0)).flatMap { _ in
      Fail<String, TestError>(error: TestError("no user")).catch { _ in Just("?") }
    }
    #expect(world.origins(of: users) == ["value ?: A"])
  }

  @Test func behindALaneOfTheInnerPublisherItIsNot() {
    let users = world.source("users", ("A", 0)).flatMap { _ in
      Fail<String, TestError>(error: TestError("no user")).lane("user").catch { _ in Just("?") }
    }
    #expect(world.origins(of: users) == ["value ?:  <- user failed: no user"])
  }
}

/// An operator that goes on when its upstream has ended.
private struct Sequel: CustomTestStringConvertible, Sendable {
  typealias Letters = AnyPublisher<String, TestError>

  let testDescription: String
  let apply: @Sendable (Letters) -> AnyPublisher<String, any Error>

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ apply: @escaping @Sendable (Letters) -> P
  ) where P.Output == String {
    testDescription = name
    self.apply = { letters in apply(letters).mapError { $0 }.eraseToAnyPublisher() }
  }
}

extension AnyPublisher<String, TestError> {
  /// The first value is an error.
  fileprivate var failing: AnyPublisher<String, TestError> {
    flatMap { Fail<String, TestError>(error: TestError($0)) }.eraseToAnyPublisher()
  }
}
