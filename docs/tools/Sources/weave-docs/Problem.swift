/// A line of a file, counted from one.
struct Location: Hashable {
  let path: String
  let line: Int

  func problem(_ message: String) -> Problem { Problem(location: self, message: message) }
}

/// Something wrong at a line, in the format of a compiler's errors.
struct Problem: Error, Hashable, Comparable, CustomStringConvertible {
  let location: Location
  let message: String

  var description: String { "\(location.path):\(location.line): \(message)" }

  static func < (one: Problem, other: Problem) -> Bool {
    (one.location.path, one.location.line, one.message)
      < (other.location.path, other.location.line, other.message)
  }
}

extension Array where Element == Problem {
  /// Runs a body and keeps the problem it throws, so that one run reports all problems.
  mutating func collect<Value>(_ body: () throws(Problem) -> Value) -> Value? {
    do throws(Problem) {
      return try body()
    } catch {
      append(error)
      return nil
    }
  }
}
