import Streams
import TestSupport
import Testing

// An operator on a publisher whose values are known works at once, and returns a publisher of known
// values. These functions compare it with the operator on a type-erased publisher. The type of the
// first parameter makes sure that it's the special form that is tested.

func expectJust<Value: Equatable>(
  _ actual: Just<Value>, _ plain: some Publisher<Value, Never>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectSame(actual, plain, sourceLocation)
}

func expectOptional<Value: Equatable>(
  _ actual: Value?.Publisher, _ plain: some Publisher<Value, Never>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectSame(actual, plain, sourceLocation)
}

func expectResult<Value: Equatable, Failure>(
  _ actual: Result<Value, Failure>.Publisher, _ plain: some Publisher<Value, Failure>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectSame(actual, plain, sourceLocation)
}

func expectSequence<Elements: Sequence, Failure>(
  _ actual: Publishers.Sequence<Elements, Failure>,
  _ plain: some Publisher<Elements.Element, Failure>,
  sourceLocation: SourceLocation = #_sourceLocation
) where Elements.Element: Equatable {
  expectSame(actual, plain, sourceLocation)
}

/// Compares all that comes after the subscriptions, whose names differ.
private func expectSame<Value: Equatable, Failure>(
  _ actual: some Publisher<Value, Failure>, _ plain: some Publisher<Value, Failure>,
  _ sourceLocation: SourceLocation
) {
  expectEqual(
    Array(actual.history().events.dropFirst()), Array(plain.history().events.dropFirst()),
    sourceLocation: sourceLocation)
}

// MARK: Closures for these operators

func isLarge(_ value: Int) -> Bool { value > 5 }

func tenfoldIfLarge(_ value: Int) -> Int? { value > 5 ? value * 10 : nil }

/// Throws for 3.
func tenfold(_ value: Int) throws -> Int {
  if value == 3 { throw TestError("three") }
  return value * 10
}

/// Throws for 3.
func sum(_ first: Int, _ second: Int) throws -> Int { try first + tenfold(second) }

/// Throws for 3.
func isSeventy(_ value: Int) throws -> Bool { try tenfold(value) == 70 }

/// Throws for 3.
func isLess(_ first: Int, _ second: Int) throws -> Bool { try tenfold(first) < tenfold(second) }

func neverCalled(_ first: Int, _ second: Int) -> Bool { fatalError("\(first), \(second)") }
