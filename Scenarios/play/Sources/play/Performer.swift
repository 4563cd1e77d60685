import Foundation

/// Builds the program, keeps it running, and does both again whenever its code changes.
actor Performer {
  private let program: String
  private let package: URL
  private let folders: [URL]
  private let stage: Stage
  private let builder: Builder
  /// The program, once for runs and once for searches.
  private var runner: Performance?
  private var searcher: Searcher?
  private var executable: URL?
  /// The files of the last build that went well.
  private var built: SourceWatch.Files = [:]

  init(program: String, package: URL, watching folders: [String], stage: Stage) throws {
    (self.program, self.package, self.stage) = (program, package, stage)
    self.folders = folders.map { URL(fileURLWithPath: $0, relativeTo: package) }
    builder = Builder(program: program, package: package)
    if let missing = missingFolder { throw PlayError("there's no folder \(missing) to watch") }
  }

  /// Builds and runs the program until the task is cancelled.
  ///
  /// - Throws: An error if the package doesn't have this program.
  func run() async throws {
    let sources = SourceWatch(places: folders + [package.appending(path: "Package.swift")])
    for await files in sources.changes() { try await perform(files) }
    await end()
  }

  /// Ends what was started.
  func end() async {
    await endPrograms()
    await builder.end()
  }

  /// Ends runs that take too long, until the task is cancelled. The next request starts the program
  /// again.
  func endStuckRuns() async throws {
    while !Task.isCancelled {
      runner?.endIfStuck()
      await searcher?.endStuckRun()
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Passes a request of a page on to the program.
  func ask(_ line: String) {
    if let request = try? JSONDecoder().decode(PageRequest.self, from: Data(line.utf8)),
      request.wants == .endings
    {
      searcher?.ask(request)
    } else {
      // It may have crashed, or been ended.
      if let executable, runner?.isEnded ?? false { runner = try? launch(executable, isNew: false) }
      runner?.ask(line)
    }
  }

  private nonisolated var missingFolder: String? {
    folders.first { !FileManager.default.fileExists(atPath: $0.path) }?.relativePath
  }

  private func perform(_ files: SourceWatch.Files) async throws {
    if let missing = missingFolder {
      return await stage.show(.broken("The folder \(missing) is gone. Bring it back to go on."))
    }
    await stage.show(.building(step: nil))
    let start = ContinuousClock.now
    let paths = Set(files.keys).union(built.keys)
    let changed = paths.filter { files[$0] != built[$0] }
    switch await builder.build(changed, progress: { await stage.show(.building(step: $0)) }) {
    case .broken(let message):
      await stage.show(.broken(message))
    case .missing:
      throw PlayError("\(package.path) has no executable product '\(program)'")
    case .built(let executable):
      let time = ContinuousClock.now - start
      let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
      await endPrograms()
      await stage.show(.running(builtIn: seconds))
      self.executable = executable
      built = files
      do {
        runner = try launch(executable, isNew: true)
      } catch {
        return await stage.show(.failed("can't start it: \(error)"))
      }
      let searcher = Searcher(executable, stage: stage)
      self.searcher = searcher
      Task { await searcher.run() }
    }
  }

  private func endPrograms() async {
    runner?.end()
    await searcher?.end()
  }

  /// Starts the program.
  ///
  /// - Parameter isNew: Whether it has changed, so that pages hear what it says about itself.
  private func launch(_ executable: URL, isNew: Bool) throws -> Performance {
    let performance = try Performance(executable)
    let stage = stage
    Task {
      var isFirst = true
      for await message in performance.messages {
        switch message {
        case .line(let line) where isFirst:
          if isNew { await stage.greet(line) }
        case .line(let line):
          performance.noteAnswer()
          await stage.tell(line)
        case .end(.crash(let words)):
          await stage.show(.failed("The program has crashed.\n\(words)"))
        case .end(.stuck):
          await stage.show(
            .failed(
              "This run takes longer than \(Performance.patience) seconds. Does it wait, or loop?"))
        case .end(.told): break
        }
        isFirst = false
      }
    }
    return performance
  }
}
