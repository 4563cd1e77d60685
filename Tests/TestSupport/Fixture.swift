import Streams

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An object of a test that refers to what it tests, and is often referred to by it: a cycle that no
/// test takes apart.
///
/// A leak detector can't tell these cycles from leaks of the library. So under `make leaks`, which
/// sets `BREAK_FIXTURE_CYCLES`, all fixtures that are still alive let go of everything when the
/// process ends, right before the leaks are counted. What is unreachable then, the library has lost.
package protocol Fixture: AnyObject {
  /// Lets go of everything that could refer back to this.
  func letGo()
}

/// The fixtures that are alive, where somebody wants to know.
private struct FixtureRegistry {
  struct Entry {
    weak var fixture: (any Fixture)?
  }

  // nil: nobody wants to know.
  static let shared: Locked<[Entry]>? = {
    guard getenv("BREAK_FIXTURE_CYCLES") != nil else { return nil }
    atexit {
      for entry in FixtureRegistry.shared?.withLock({ $0 }) ?? [] { entry.fixture?.letGo() }
    }
    return Locked([])
  }()
}

extension Fixture {
  /// To be called by each initializer of a fixture.
  func register() {
    FixtureRegistry.shared?.withLock { $0.append(FixtureRegistry.Entry(fixture: self)) }
  }
}
