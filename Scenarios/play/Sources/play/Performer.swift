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
      if let executable, let runner, runner.isStuck {
        runner.end()
        searcher?.end()
        await stage.show(
          .failed(
            "This run takes longer than \(Performance.patience) seconds. Does it wait, or loop?"))
        self.runner = try? launch(executable, greets: false)
      }
      try await Task.sleep(for: .milliseconds(60))
    }
    runner?.end()
    searcher?.end()
  }

  /// Passes a request of a page on to the program.
  func ask(_ line: String) {
    (line.contains("\"wants\":\"endings\"") ? searcher : runner)?.ask(line)
  }

  private func perform() async {
    await stage.show(.building)
    let start = ContinuousClock.now
    let build = Build(program: program, package: package)
    let result = await build.run()
    switch result {
    case .failure(let problem):
      await stage.show(.failed(problem.message))
    case .success(let executable):
      let time = ContinuousClock.now - start
      let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
      runner?.end()
      searcher?.end()
      await stage.show(.running(builtIn: seconds))
      self.executable = executable
      do {
        runner = try launch(executable, greets: true)
        searcher = try launch(executable, greets: false)
      } catch {
        await stage.show(.failed("can't start it: \(error)"))
      }
    }
  }

  private func launch(_ executable: URL, greets: Bool) throws -> Performance {
    let performance = try Performance(executable)
    let stage = stage
    Task {
      var isFirst = true
      for await message in performance.messages {
        switch message {
        case .line(let line) where !isFirst: await stage.tell(line)
        case .line(let line): if greets { await stage.greet(line) }
        case .end(let problem?): await stage.show(.failed(problem))
        case .end(nil): break
        }
        isFirst = false
      }
    }
    return performance
  }
}
