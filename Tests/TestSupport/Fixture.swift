import Streams

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A test object that often forms a cycle with the objects it tests. No test breaks the cycle.
///
/// A leak detector can't tell these cycles from leaks of the library. So `make leaks` sets
/// `BREAK_FIXTURE_CYCLES`: when the process ends, all living fixtures release everything they hold,
/// right before leaks are counted. Any object that is unreachable then was leaked by the library.
package protocol Fixture: AnyObject {
  /// Releases everything that could refer back to this.
  func letGo()
}

/// The living fixtures, recorded only under `make leaks`.
private struct FixtureRegistry {
  struct Entry {
    weak var fixture: (any Fixture)?
  }

  // `nil` without `BREAK_FIXTURE_CYCLES`.
  static let shared: Locked<[Entry]>? = {
    guard getenv("BREAK_FIXTURE_CYCLES") != nil else { return nil }
    atexit {
      for entry in FixtureRegistry.shared?.withLock({ $0 }) ?? [] { entry.fixture?.letGo() }
    }
    return Locked([])
  }()
}

extension Fixture {
  /// Records this fixture. Each initializer of a fixture calls it.
  package func register() {
    FixtureRegistry.shared?.withLock { $0.append(FixtureRegistry.Entry(fixture: self)) }
  }
}
