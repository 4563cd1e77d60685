import Foundation

/// The standard error of a child process: all of it, but a trap of Foundation.
///
/// The runtime writes a trap as `FoundationNetworking/File.swift:12: Fatal error: Message`. From
/// such a line on, the text waits until the process has ended.
struct ChildErrors {
  /// A longer text doesn't wait, in bytes.
  private static let limit = 1 << 20
  private static let file = "FoundationNetworking/"
  private static let mark = ": Fatal error: "

  /// The bytes that weren't passed on yet.
  private var rest: [UInt8] = []
  private var foundTrap = false

  /// Whether the runtime wrote a reason for a trap anywhere.
  private(set) var hasFatalError = false

  /// Adds bytes that the child wrote.
  ///
  /// - Returns: The lines to pass on.
  mutating func receive(_ bytes: some Sequence<UInt8>) -> String {
    rest += bytes
    var ready = rest.startIndex
    while !foundTrap, let end = rest[ready...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[ready..<end], as: UTF8.self)
      if line.contains(Self.mark) { hasFatalError = true }
      foundTrap = Self.message(of: line) != nil
      if !foundTrap { ready = end + 1 }
    }
    if rest.count - ready > Self.limit {
      foundTrap = false
      ready = rest.endIndex
    }
    defer { rest.removeFirst(ready) }
    return String(decoding: rest[..<ready], as: UTF8.self)
  }

  /// Ends the text.
  ///
  /// - Parameter isTrap: Whether the child was ended by a signal that traps lead to.
  /// - Returns: The rest to pass on, and the message of a trap of Foundation.
  mutating func finish(isTrap: Bool) -> (text: String, message: String?) {
    defer { rest = [] }
    let text = String(decoding: rest, as: UTF8.self)
    let line = text.prefix { $0 != "\n" }
    guard isTrap, let message = Self.message(of: String(line)) else { return (text, nil) }
    return (String(text.dropFirst(line.count + 1)), message)
  }

  /// The message in a line about a trap of Foundation, without its last full stop.
  private static func message(of line: String) -> String? {
    guard line.hasPrefix(file), let mark = line.range(of: mark) else { return nil }
    let message = line[mark.upperBound...].prefix(200)
    return String(message.last == "." ? message.dropLast() : message)
  }
}
