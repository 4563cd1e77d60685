import Foundation

/// The pages that are open, and what they and the terminal have to know.
actor Stage {
  private let terminal = Terminal()
  private var pages: [UUID: AsyncStream<String>.Continuation] = [:]
  /// What a page hears when it opens: the state of the program, and what that says about itself.
  private var state: String?
  private var greeting: String?

  /// Adds a page.
  ///
  /// - Returns: What it hears, until it's released.
  func open() -> AsyncStream<String> {
    let (messages, continuation) = AsyncStream.makeStream(of: String.self)
    let id = UUID()
    pages[id] = continuation
    continuation.onTermination = { _ in Task { await self.close(id) } }
    for message in [state, greeting] { if let message { continuation.yield(message) } }
    return messages
  }

  private func close(_ id: UUID) { pages[id] = nil }

  /// Tells all pages a line of the program.
  func tell(_ line: String) {
    for page in pages.values { page.yield(line) }
  }

  /// Tells the terminal and all pages, and those to come, how the program is.
  func show(_ new: PlayState) {
    terminal.show(new)
    state = new.json
    if let state { tell(state) }
  }

  /// Tells all pages, and those to come, what the program says about itself.
  func greet(_ line: String?) {
    greeting = line
    if let line { tell(line) }
  }
}

/// How the program is.
struct PlayState: Encodable {
  enum Name: String, Encodable {
    case building, running, broken, failed
  }

  let state: Name
  var seconds: Double?
  var step: String?
  var message: String?

  /// It's being built.
  ///
  /// - Parameter step: How far that is, such as `[12/345]`.
  static func building(step: String?) -> PlayState {
    PlayState(state: .building, step: step)
  }

  static func running(builtIn seconds: Double) -> PlayState {
    PlayState(state: .running, seconds: (seconds * 10).rounded() / 10)
  }

  /// It can't be built.
  static func broken(_ message: String) -> PlayState {
    PlayState(state: .broken, message: message)
  }

  /// A run has crashed, or didn't end.
  static func failed(_ message: String) -> PlayState {
    PlayState(state: .failed, message: message)
  }

  var json: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
