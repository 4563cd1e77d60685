import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DownloadTests {
  private let run = NetworkRun()

  init() {
    run.network.stub(
      .get, .example("poem"),
      responses: .chunked(
        chunks: [
          .init("The rose ", after: .milliseconds(10)), .init("is red", after: .seconds(1)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(5))
      ).repeating)
    run.network.stub(
      .get, .example("lost"),
      responses: .failure(.networkConnectionLost, after: .milliseconds(50)).repeating)
  }

  /// Writes what a handler gets.
  private func handler(_ name: String = "got")
    -> @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  {
    { [run] file, response, error in
      let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "no file"
      let code = (error as? URLError).map { " \($0.code.name)" } ?? ""
      run.write("\(name) \(text)\(code)")
    }
  }

  /// A session whose delegate writes what it's told.
  private func session(
    onProgress: @escaping @Sendable (URLSessionDownloadTask) -> Void = { _ in }
  ) -> URLSession {
    run.network.makeSession(delegate: DownloadDelegate(run, onProgress))
  }

  /// Runs, and returns the history without the network's own events.
  private func received() -> [String] { run.finish().filter { !$0.contains("request ") } }

  @Test func handlersGetTheFileAtTheEndOfTheBodyInTheOrderOfTheirTasks() {
    // Their session's delegate isn't told.
    let session = session()
    for name in ["one", "two"] {
      session.downloadTask(with: .example("poem"), completionHandler: handler(name)).resume()
    }
    #expect(received() == ["1115ms one The rose is red", "1115ms two The rose is red"])
  }

  @Test func theFileIsRemovedUnlessTheHandlerMovesIt() throws {
    let files = Locked<[URL]>([])
    let kept = FileManager.default.temporaryDirectory
      .appendingPathComponent("kept-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: kept) }
    run.session().downloadTask(with: .example("poem")) { file, _, _ in
      guard let file else { return }
      files.withLock { $0.append(file) }
      try? FileManager.default.copyItem(at: file, to: kept)
    }.resume()
    run.clock.run()
    let file = try #require(files.withLock { $0 }.first)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(try String(contentsOf: kept, encoding: .utf8) == "The rose is red")
  }

  @Test func aFailureAndACancellationHaveNoFile() {
    let session = session()
    session.downloadTask(with: .example("lost"), completionHandler: handler()).resume()
    session.downloadTask(with: .example("lost")).resume()
    let task = session.downloadTask(with: .example("poem"), completionHandler: handler())
    task.resume()
    run.at(120) { task.cancel() }
    #expect(
      run.finish().filter { !$0.contains("GET") } == [
        "50ms request 1: failed: networkConnectionLost", "50ms got no file networkConnectionLost",
        "50ms request 2: failed: networkConnectionLost", "50ms end networkConnectionLost",
        "100ms request 3: 200 OK", "110ms request 3: 9 bytes",
        "120ms request 3: cancelled after 9 bytes", "120ms got no file cancelled",
      ])
  }

  @Test func aDelegateIsToldAboutProgressTheFileAndTheEnd() {
    session().downloadTask(with: .example("poem")).resume()
    #expect(
      received() == [
        "110ms 9 more, 9 of -1", "1110ms 6 more, 15 of -1", "1115ms file The rose is red",
        "1115ms end",
      ])
  }

  @Test func aDelegateThatCancelsGetsNoFile() {
    session { $0.cancel() }.downloadTask(with: .example("poem")).resume()
    #expect(received() == ["110ms 9 more, 9 of -1", "110ms end cancelled"])
  }

  @Test func aTaskWithoutAHandlerAndWithoutADelegateIsDoneToo() {
    run.session().downloadTask(with: .example("poem")).resume()
    #expect(run.finish().last == "1115ms request 1: finished")
  }

  @Test func aSuspendedDownloadGoesOnLater() {
    let task = session().downloadTask(with: .example("poem"))
    task.resume()
    run.at(500) { task.suspend() }
    run.at(2_000) { task.resume() }
    #expect(
      received() == [
        "110ms 9 more, 9 of -1", "2610ms 6 more, 15 of -1", "2615ms file The rose is red",
        "2615ms end",
      ])
  }
}

/// Writes what it's told.
private final class DownloadDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
  private let run: NetworkRun
  private let onProgress: @Sendable (URLSessionDownloadTask) -> Void

  init(_ run: NetworkRun, _ onProgress: @escaping @Sendable (URLSessionDownloadTask) -> Void) {
    (self.run, self.onProgress) = (run, onProgress)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    run.write("\(bytesWritten) more, \(totalBytesWritten) of \(totalBytesExpectedToWrite)")
    onProgress(downloadTask)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    run.write("file \((try? String(contentsOf: location, encoding: .utf8)) ?? "missing")")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    run.write("end" + ((error as? URLError).map { " \($0.code.name)" } ?? ""))
  }
}
