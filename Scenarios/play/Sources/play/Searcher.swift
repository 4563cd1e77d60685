import Foundation

/// The search for other endings, in a process of its own, because it takes longer than a run.
///
/// What it tries may crash the program, or never end. That's an ending too, so the search is made
/// once more with this in mind.
actor Searcher {
  /// What leads to a run.
  private struct Trial: Codable {
    let moves: [String]
    var fault: String?
    var schedule: String?
  }

  /// A run that ended the program, and what a user would notice.
  private struct Crash: Codable {
    let trial: Trial
    let outcome: String
  }

  /// What the program is asked for.
  private struct Request: Encodable {
    let id: Int
    let part: Int
    let flags: [String]?
    let wants = PageRequest.Wanted.endings
    var crashes: [Crash] = []
    /// Whether the search goes no further than to the last crash.
    var isLast = false
  }

  /// What the program says. Its greeting has no number, and only its progress has what it tries.
  private struct Line: Decodable {
    let id: Int?
    let tries: Trial?
  }

  /// How long crashes may delay the end of a search.
  private static let patience = Duration.seconds(20)

  private let executable: URL
  private let stage: Stage
  private let requests: AsyncStream<PageRequest>
  private let asked: AsyncStream<PageRequest>.Continuation
  private var performance: Performance?
  private var isEnded = false

  init(_ executable: URL, stage: Stage) {
    (self.executable, self.stage) = (executable, stage)
    (requests, asked) = AsyncStream.makeStream()
  }

  /// Searches as it's asked to, until it's ended. The stage hears the answers.
  func run() async {
    for await request in requests { await search(request) }
  }

  nonisolated func ask(_ request: PageRequest) { asked.yield(request) }

  func endStuckRun() { performance?.endIfStuck() }

  func end() {
    isEnded = true
    asked.finish()
    performance?.end()
  }

  private func search(_ page: PageRequest) async {
    var request = Request(id: page.id, part: page.part, flags: page.flags)
    let start = ContinuousClock.now
    while !isEnded, let crash = await crash(of: request), !request.isLast {
      request.crashes.append(crash)
      request.isLast = ContinuousClock.now - start > Self.patience
    }
  }

  /// Lets the program search.
  ///
  /// - Returns: What crashed it; `nil` if it has answered, or was told to end.
  private func crash(of request: Request) async -> Crash? {
    guard let performance = try? running(), let data = try? JSONEncoder().encode(request)
    else { return nil }
    performance.ask(String(decoding: data, as: UTF8.self))
    var trial: Trial?
    for await message in performance.messages {
      switch message {
      case .line(let text):
        let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
        if let tries = line?.tries {
          trial = tries
        } else if line?.id != nil {
          performance.noteAnswer()
          await stage.tell(text)
          return nil
        }
      case .end(let end):
        return trial.flatMap { trial in
          end.outcome.map { Crash(trial: trial, outcome: $0) }
        }
      }
    }
    return nil
  }

  private func running() throws -> Performance {
    if let performance, !performance.isEnded { return performance }
    let new = try Performance(executable)
    performance = new
    return new
  }
}

extension Performance.End {
  /// What a user would notice; `nil` if it was told to end.
  fileprivate var outcome: String? {
    switch self {
    case .told: nil
    case .stuck: "the program doesn't end"
    case .crash(let words):
      (["the program crashes"] + words.split(separator: "\n").prefix(1)).joined(separator: ": ")
    }
  }
}
