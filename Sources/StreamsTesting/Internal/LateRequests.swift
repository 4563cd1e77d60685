import Foundation
import Streams
import Testing
import VirtualWorld

/// Reports requests that are made in the session of a world after it has ended.
struct LateRequests: Sendable {
  /// The name of the running test, where only its test case knows it.
  @TaskLocal static var nameOfTest: String?

  private let name: String?
  private let location: SourceLocation
  private let isInSwiftTesting: Bool
  private let reporter: IssueReporter
  private let reported = Locked<Set<String>>([])

  /// - Parameters:
  ///   - location: The place of the world.
  ///   - reporter: What hears of the world's problems.
  init(of location: SourceLocation, _ reporter: IssueReporter) {
    name = Test.current?.name ?? Self.nameOfTest
    isInSwiftTesting = Test.current != nil
    self.location = location
    self.reporter = reporter
  }

  /// Reports a request, once for each method, URL and place.
  ///
  /// - Parameters:
  ///   - request: The method and the URL.
  ///   - site: The place of the code that made it; `nil` if it isn't known.
  func report(_ request: String, at site: (any World.Site)?) {
    let pending = PendingReport(
      reporter.isOfFramework
        ? World.Problem(message: message(request, nil), source: .init(location)) : nil)
    // In a task, because this runs inside a call of `URLSession`, where code of the user's could
    // wait forever, and because it takes a while to look up the place. The task belongs to the test
    // of the code that made the request.
    Task {
      defer { pending.end() }
      let source = site?.source
      let message = message(request, source)
      guard reported.withLock({ $0.insert(message).inserted }) else { return }
      let place = source.map {
        SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: 1)
      }
      reporter.reportLate(message, place ?? location, isInSwiftTesting)
    }
  }

  private func message(_ request: String, _ source: World.Problem.Source?) -> String {
    let place = source.map { " at \($0.fileName):\($0.line)" } ?? ""
    let world = "\(location.fileName):\(location.line)"
    let test = name.map { "\($0) (\(world))" } ?? world
    return "\(request) was made\(place) after the end of its world, so it was cancelled. The world "
      + "is that of \(test): something that this test has started goes on, such as a Task, a thread "
      + "or a timer. Let the test wait for it, or cancel it there"
  }
}

/// A report that's on its way. If the process ends first, it's written to the standard error, and
/// the status of the process is 1.
struct PendingReport: Sendable {
  private static let all = Locked<(count: Int, problems: [Int: World.Problem])>((0, [:]))

  private static let looksAtExit: Void = {
    atexit {
      let rest = PendingReport.all.withLock { $0.problems }.sorted { $0.key < $1.key }
      if rest.isEmpty { return }
      // A request that's repeated is one line.
      var written: Set<String> = []
      for (_, problem) in rest where written.insert("\(problem)").inserted {
        FileHandle.standardError.write(Data("\(problem)\n".utf8))
      }
      // The one change of status that a handler may make. It skips the buffers, so they are written
      // first.
      fflush(nil)
      _exit(EXIT_FAILURE)
    }
  }()

  private let number: Int?

  /// - Parameter problem: The report; `nil` if it isn't kept.
  init(_ problem: World.Problem?) {
    number = problem.map { problem in
      Self.looksAtExit
      return Self.all.withLock { all in
        all.count += 1
        all.problems[all.count] = problem
        return all.count
      }
    }
  }

  /// Forgets the report, because it has arrived.
  func end() { number.map { number in Self.all.withLock { $0.problems[number] = nil } } }
}
