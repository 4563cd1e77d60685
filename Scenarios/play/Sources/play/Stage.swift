import Foundation

/// The pages that are open, and what they have to know.
actor Stage {
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

  /// Tells all pages, and those to come, how the program is.
  func show(_ new: PlayState) {
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
  let state: String
  var seconds: Double?
  var message: String?

  static let building = PlayState(state: "building")

  static func running(builtIn seconds: Double) -> PlayState {
    PlayState(state: "running", seconds: (seconds * 10).rounded() / 10)
  }

  /// It can't be built.
  static func broken(_ message: String) -> PlayState {
    PlayState(state: "broken", message: message)
  }

  /// A run has crashed, or didn't end.
  static func failed(_ message: String) -> PlayState {
    PlayState(state: "failed", message: message)
  }

  var json: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
