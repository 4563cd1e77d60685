import Streams
import TestSupport
import VirtualTime

/// What an operator of the table gets from its test: a clock, and a way to have its closures
/// watched.
///
/// ```swift
/// { $0.filter($1 { $0.isMultiple(of: 2) }) }
/// { $0.delay(for: .seconds(1), scheduler: $1.clock) }
/// ```
struct Surroundings: Sendable {
  var clock = VirtualTimeScheduler()
  let living = Living()

  /// Lets the closure keep a token.
  func callAsFunction<A, Result>(_ closure: @escaping (A) -> Result) -> (A) -> Result {
    let token = living.token("closure")
    return {
      token.touch()
      return closure($0)
    }
  }

  /// Lets the closure keep a token.
  func callAsFunction<A, B, Result>(_ closure: @escaping (A, B) -> Result) -> (A, B) -> Result {
    let token = living.token("closure")
    return {
      token.touch()
      return closure($0, $1)
    }
  }

  /// A number that is watched.
  func number(_ value: Int) -> Number { Number(value, token: living.token("\(value)")) }
}

/// The names of the tokens that nothing has released yet.
final class Living: Sendable {
  private let alive = Locked<[String]>([])
  private let releaseHook = Locked<(@Sendable () -> Void)?>(nil)

  /// Runs while a token is being released.
  var onRelease: (@Sendable () -> Void)? {
    get { releaseHook.withLock { $0 } }
    set { releaseHook.withLock { $0 = newValue } }
  }

  /// The names, sorted: `closure downstream upstream`.
  var names: String { alive.withLock { $0.sorted().joined(separator: " ") } }

  /// The values among them.
  var values: String {
    names.split(separator: " ").filter { Int($0) != nil }.joined(separator: " ")
  }

  /// Makes a token whose name stays in the list until it's released.
  func token(_ name: String) -> Token {
    alive.withLock { $0.append(name) }
    return Token { [self] in
      alive.withLock { names in
        if let index = names.firstIndex(of: name) { names.remove(at: index) }
      }
      onRelease?()
    }
  }
}

/// The value that runs through the operators of the table: a number that can keep a token.
struct Number: Comparable, ExpressibleByIntegerLiteral, Codable, CustomStringConvertible, Sendable {
  let value: Int
  private let token: Token?

  init(_ value: Int, token: Token? = nil) {
    self.value = value
    self.token = token
  }

  init(integerLiteral value: Int) { self.init(value) }
  init(from decoder: any Decoder) throws { self.init(try Int(from: decoder)) }

  var description: String { "\(value)" }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  func isMultiple(of other: Int) -> Bool { value.isMultiple(of: other) }

  static func == (first: Number, second: Number) -> Bool { first.value == second.value }
  static func < (first: Number, second: Number) -> Bool { first.value < second.value }
}
