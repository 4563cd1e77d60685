import Foundation

/// Builds the program, keeps it running, and does both again whenever its code changes.
actor Performer {
  private let program: String
  private let package: URL
  private let stage: Stage
  private let sources: SourceWatch
  /// The program, once for runs and once for the search for other endings, which takes longer.
  private var runner: Performance?
  private var searcher: Performance?
  private var executable: URL?

  init(program: String, package: URL, watching folders: [String], stage: Stage) {
    (self.program, self.package, self.stage) = (program, package, stage)
    sources = SourceWatch(folders: folders.map { package.appending(path: $0) })
  }

  /// Builds and runs the program until the task is cancelled.
  func run() async throws {
    var seen: SourceWatch.Mark?
    while !Task.isCancelled {
      let mark = sources.mark
      if mark != seen {
        seen = mark
        await perform()
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    runner?.end()
    searcher?.end()
  }

  /// Ends runs that take too long, until the task is cancelled. The next request starts the program
  /// again.
  func endStuckRuns() async throws {
    while !Task.isCancelled {
      if let runner, runner.isStuck {
        runner.end()
        searcher?.end()
        await stage.show(
          .failed(
            "This run takes longer than \(Performance.patience) seconds. Does it wait, or loop?"))
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Passes a request of a page on to the program.
  func ask(_ line: String) {
    if line.contains("\"wants\":\"endings\"") {
      searcher?.ask(line)
    } else {
      // It may have crashed, or been ended.
      if let executable, runner?.isEnded ?? false { runner = try? launch(executable, .again) }
      runner?.ask(line)
    }
  }

  private func perform() async {
    await stage.show(.building)
    let start = ContinuousClock.now
    let build = Build(program: program, package: package)
    let result = await build.run()
    switch result {
    case .failure(let problem):
      await stage.show(.broken(problem.message))
    case .success(let executable):
      let time = ContinuousClock.now - start
      let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
      runner?.end()
      searcher?.end()
      await stage.show(.running(builtIn: seconds))
      self.executable = executable
      do {
        runner = try launch(executable, .anew)
        searcher = try launch(executable, .searching)
      } catch {
        await stage.show(.failed("can't start it: \(error)"))
      }
    }
  }

  /// Why a program is started.
  private enum Purpose {
    /// It has changed, so pages hear what it says about itself.
    case anew
    case again
    /// It tries what the reader hasn't asked for, so its crash says nothing of what's on stage.
    case searching
  }

  private func launch(_ executable: URL, _ purpose: Purpose) throws -> Performance {
    let performance = try Performance(executable)
    let stage = stage
    Task {
      var isFirst = true
      for await message in performance.messages {
        switch message {
        case .line(let line) where !isFirst: await stage.tell(line)
        case .line(let line): if purpose == .anew { await stage.greet(line) }
        case .end(let problem?) where purpose != .searching: await stage.show(.failed(problem))
        case .end: break
        }
        isFirst = false
      }
    }
    return performance
  }
}
