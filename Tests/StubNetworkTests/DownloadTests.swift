import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DownloadTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let lines = Locked<[String]>([])

  init() {
    network = StubNetwork(clock: clock)
    network.stub(
      .get, "https://example.com/poem",
      responses: .chunked(
        chunks: [
          .init("The rose ", after: .milliseconds(10)), .init("is red", after: .seconds(1)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(5))
      ).repeating)
  }

  private func stubLostConnection() {
    network.stub(
      .get, "https://example.com/lost",
      responses: .failure(.networkConnectionLost, after: .milliseconds(50)))
  }

  /// Writes what a handler gets, and returns its file.
  private func handler(_ name: String = "") -> @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  {
    { [clock, lines] file, response, error in
      let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "no file"
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      let code = (error as? URLError).map { " \($0.code.name)" } ?? ""
      lines.withLock { $0.append("\(clock.now)\(name) \(text), \(status)\(code)") }
    }
  }

  @Test func aHandlerGetsTheFileAtTheEndOfTheBody() throws {
    network.makeSession().downloadTask(with: .example("poem"), completionHandler: handler())
      .resume()
    clock.run()
    #expect(lines.withLock { $0 } == ["1115ms The rose is red, 200"])
    try network.verify()
  }

  @Test func theFileIsRemovedUnlessTheHandlerMovesIt() throws {
    let files = Locked<[URL]>([])
    let kept = FileManager.default.temporaryDirectory
      .appendingPathComponent("kept-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: kept) }
    network.makeSession().downloadTask(with: .example("poem")) { file, _, _ in
      guard let file else { return }
      files.withLock { $0.append(file) }
      try? FileManager.default.copyItem(at: file, to: kept)
    }.resume()
    clock.run()
    let file = try #require(files.withLock { $0 }.first)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(try String(contentsOf: kept, encoding: .utf8) == "The rose is red")
  }

  @Test func aFailureAndACancellationReachTheHandlerWithoutAFile() throws {
    stubLostConnection()
    let session = network.makeSession()
    session.downloadTask(with: .example("lost"), completionHandler: handler()).resume()
    let task = session.downloadTask(with: .example("poem"), completionHandler: handler())
    task.resume()
    clock.schedule(after: .milliseconds(120)) { task.cancel() }
    clock.run()
    #expect(
      lines.withLock { $0 } == [
        "50ms no file, 0 networkConnectionLost", "120ms no file, 0 cancelled",
      ])
    #expect(network.events.last?.description == "120ms request 2: cancelled after 9 bytes")
  }

  @Test func downloadsOfOneInstantEndInTheOrderOfTheirTasks() {
    let session = network.makeSession()
    for name in [" one:", " two:", " three:"] {
      session.downloadTask(with: .example("poem"), completionHandler: handler(name)).resume()
    }
    clock.run()
    #expect(
      lines.withLock { $0 }
        == [" one:", " two:", " three:"].map {
          "1115ms\($0) The rose is red, 200"
        })
  }

  @Test func aDelegateIsToldAboutProgressTheFileAndTheEnd() throws {
    let delegate = DownloadDelegate(clock)
    network.makeSession(delegate: delegate).downloadTask(with: .example("poem")).resume()
    clock.run()
    #expect(
      delegate.lines == [
        "110ms 9 more, 9 of -1", "1110ms 6 more, 15 of -1", "1115ms file The rose is red",
        "1115ms end",
      ])
    try network.verify()
  }

  @Test func aDelegateIsToldAboutAFailure() {
    stubLostConnection()
    let delegate = DownloadDelegate(clock)
    network.makeSession(delegate: delegate).downloadTask(with: .example("lost")).resume()
    clock.run()
    #expect(delegate.lines == ["50ms end networkConnectionLost"])
  }

  @Test func aDelegateThatCancelsGetsNoFile() {
    let delegate = DownloadDelegate(clock) { $0.cancel() }
    network.makeSession(delegate: delegate).downloadTask(with: .example("poem")).resume()
    clock.run()
    #expect(delegate.lines == ["110ms 9 more, 9 of -1", "110ms end cancelled"])
  }

  @Test func aTaskWithAHandlerDoesNotTellTheDelegate() {
    let delegate = DownloadDelegate(clock)
    network.makeSession(delegate: delegate)
      .downloadTask(with: .example("poem"), completionHandler: handler()).resume()
    clock.run()
    #expect(delegate.lines == [])
    #expect(lines.withLock { $0 } == ["1115ms The rose is red, 200"])
  }

  @Test func aTaskWithoutAHandlerAndWithoutADelegateIsDoneToo() throws {
    network.makeSession().downloadTask(with: .example("poem")).resume()
    clock.run()
    #expect(network.events.last?.description == "1115ms request 1: finished")
    try network.verify()
  }

  @Test func aSuspendedDownloadGoesOnLater() {
    let delegate = DownloadDelegate(clock)
    let task = network.makeSession(delegate: delegate).downloadTask(with: .example("poem"))
    task.resume()
    clock.schedule(after: .milliseconds(500)) { task.suspend() }
    clock.schedule(after: .seconds(2)) { task.resume() }
    clock.run()
    #expect(
      delegate.lines == [
        "110ms 9 more, 9 of -1", "2610ms 6 more, 15 of -1", "2615ms file The rose is red",
        "2615ms end",
      ])
  }

  @Test func aDownloadFromResumeDataIsRefused() {
    let delegate = DownloadDelegate(clock)
    let session = network.makeSession(delegate: delegate)
    session.downloadTask(withResumeData: Data(), completionHandler: handler()).resume()
    session.downloadTask(withResumeData: Data()).resume()
    clock.run()
    #expect(lines.withLock { $0 } == ["0 no file, 0 resourceUnavailable"])
    #expect(delegate.lines == ["0 end resourceUnavailable"])
    let refusal = """
      GET https://resume-data.invalid/ is refused, and 1 more: a stub can't make the file of \
      download(from:), download(for:) and downloadTask(withResumeData:): use \
      downloadTask(with:completionHandler:)
      """
    #expect(network.problems.filter { $0.contains("refused") } == [refusal])
  }

  @Test func aTaskThatIsMadeAfterTheNetworkIsCancelled() {
    let session = network.makeSession()
    network.invalidate()
    let ended = DispatchSemaphore(value: 0)
    session.downloadTask(with: .example("poem")) { [lines] file, _, error in
      lines.withLock {
        $0.append("\(file as Any? == nil) \((error as? URLError)?.code.name ?? "")")
      }
      ended.signal()
    }.resume()
    clock.settle()
    ended.wait()
    #expect(lines.withLock { $0 } == ["true cancelled"])
  }
}

/// Writes what it's told.
private final class DownloadDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
  private let clock: VirtualTimeScheduler
  private let onProgress: @Sendable (URLSessionDownloadTask) -> Void
  private let all = Locked<[String]>([])

  init(
    _ clock: VirtualTimeScheduler,
    onProgress: @escaping @Sendable (URLSessionDownloadTask) -> Void = { _ in }
  ) {
    self.clock = clock
    self.onProgress = onProgress
  }

  var lines: [String] { all.withLock { $0 } }

  private func write(_ line: String) { all.withLock { $0.append("\(clock.now) \(line)") } }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    write("\(bytesWritten) more, \(totalBytesWritten) of \(totalBytesExpectedToWrite)")
    onProgress(downloadTask)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    write("file \((try? String(contentsOf: location, encoding: .utf8)) ?? "missing")")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    write("end" + ((error as? URLError).map { " \($0.code.name)" } ?? ""))
  }
}
