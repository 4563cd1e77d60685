import StreamsFoundation
import TestSupport
import Testing
import VirtualTime

@testable import StubNetwork

/// How a delegate learns how much of a body was sent.
@Suite struct SentBodyTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let delegate: SendingDelegate

  init() {
    network = StubNetwork(clock: clock)
    delegate = SendingDelegate(clock)
  }

  private func post(_ url: URL = .example("photo"), _ count: Int? = nil) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = count.map { Data(repeating: 65, count: $0) }
    return request
  }

  private func stub(_ response: StubResponse = .status(201, after: .milliseconds(50))) {
    network.stub(.post, "https://example.com/photo", responses: response)
  }

  // MARK: As in a real session

  enum Style: CaseIterable { case data, upload, stream, empty, handler, nothing }

  private func task(
    _ style: Style, _ session: URLSession, _ url: URL, end: @escaping @Sendable () -> Void
  ) -> URLSessionTask {
    let body = Data(repeating: 65, count: 150_000)
    var request = post(url)
    switch style {
    case .data: request.httpBody = body
    case .stream: request.httpBodyStream = InputStream(data: body)
    case .upload: return session.uploadTask(with: request, from: body)
    case .empty: return session.uploadTask(with: request, from: Data())
    case .handler: return session.uploadTask(with: request, from: body) { _, _, _ in end() }
    case .nothing: break
    }
    return session.dataTask(with: request)
  }

  /// A real session tells the totals later than they were true, so only the sizes are compared.
  @Test(arguments: Style.allCases)
  func aDelegateIsToldWhatARealOneIsTold(style: Style) async throws {
    let server = try LoopbackServer { _ in Data("HTTP/1.1 201 -\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    let url = try #require(URL(string: server.url + "/photo"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let realDelegate = SendingDelegate(clock)
    let real = URLSession(configuration: configuration, delegate: realDelegate, delegateQueue: nil)
    await withCheckedContinuation { continuation in
      realDelegate.onEnd { continuation.resume() }
      task(style, real, url) { realDelegate.end() }.resume()
    }
    real.invalidateAndCancel()

    network.stub(.post, url, responses: .status(201, headers: ["Content-Length": "0"]))
    task(style, network.makeSession(delegate: delegate), url) { [delegate] in delegate.end() }
      .resume()
    clock.run()
    let isTold = style == .data || style == .upload || style == .stream
    #expect(delegate.total == realDelegate.total)
    #expect(delegate.total == (isTold ? 150_000 : 0))
    #expect(delegate.expected == realDelegate.expected)
    #expect(delegate.expected == (isTold ? [style == .stream ? 0 : 150_000] : []))
    if style != .stream { #expect(delegate.counts == realDelegate.counts) }
    try network.verify()
  }

  // MARK: In virtual time

  /// A `POST` with so many bytes, how its response takes them, and what its delegate gets.
  static let bodies: [(bytes: Int, response: StubResponse, lines: [String])] = [
    (
      70_000, StubResponse.status(201, after: .milliseconds(50)),
      ["0 sent 65536 65536/70000", "0 sent 4464 70000/70000", "50ms response", "50ms end"]
    ),
    (
      10, .status(201, after: .milliseconds(50)).afterUpload(in: 4, over: .seconds(2)),
      [
        "500ms sent 2 2/10", "1s sent 3 5/10", "1500ms sent 2 7/10", "2s sent 3 10/10",
        "2050ms response", "2050ms end",
      ]
    ),
    // Pieces are whole.
    (
      1, .failure(.timedOut).afterUpload(in: 1, over: .seconds(1)),
      ["1s sent 1 1/1", "1s end timedOut"]
    ),
    (
      7, .failure(.timedOut).afterUpload(in: 3, over: .seconds(1)),
      ["333333333ns sent 2 2/7", "666666666ns sent 2 4/7", "1s sent 3 7/7", "1s end timedOut"]
    ),
    (
      2, .failure(.timedOut).afterUpload(in: 1_000, over: .seconds(1)),
      ["500ms sent 1 1/2", "1s sent 1 2/2", "1s end timedOut"]
    ),
    // An empty body doesn't wait, and nothing is sent without a server.
    (0, .status(201).afterUpload(in: 4, over: .seconds(2)), ["0 response", "0 end"]),
    (3, .failure(.cannotConnectToHost, after: .seconds(1)), ["1s end cannotConnectToHost"]),
  ]

  @Test(arguments: bodies)
  func aBodyIsSentInPieces(bytes: Int, response: StubResponse, lines: [String]) throws {
    stub(response)
    network.makeSession(delegate: delegate).dataTask(with: post(.example("photo"), bytes)).resume()
    clock.run()
    #expect(delegate.lines == lines)
    try network.verify()
  }

  @Test func eachPieceRestartsTheTimeout() {
    stub(.status(201).afterUpload(in: 3, over: .seconds(6)))
    stub(.status(201).afterUpload(in: 1, over: .seconds(6)))
    network.stub(
      .put, "https://example.com/photo",
      responses: .status(201).afterUpload(in: 2, over: .seconds(6)))
    var request = post()
    request.timeoutInterval = 2.5
    let session = network.makeSession(delegate: delegate)
    session.uploadTask(with: request, from: Data("sky".utf8)).resume()
    clock.run()
    request.httpMethod = "PUT"
    session.uploadTask(with: request, from: Data("sky".utf8)).resume()
    clock.run()
    #expect(
      delegate.lines == [
        "2s sent 1 1/3", "4s sent 1 2/3", "6s sent 1 3/3", "6s response", "6s end",
        "8500ms end timedOut",
      ])
  }

  @Test func aCancelledUploadIsToldNothingMore() {
    stub(.status(201).afterUpload(in: 2, over: .seconds(2)))
    let task = network.makeSession(delegate: delegate).uploadTask(
      with: post(), from: Data("sky".utf8))
    task.resume()
    clock.advance(by: .seconds(1))
    task.cancel()
    clock.run()
    #expect(delegate.lines == ["1s sent 1 1/3", "1s end cancelled"])
  }

  @Test func aSuspendedUploadGoesOnLater() {
    stub(.status(201).afterUpload(in: 2, over: .seconds(2)))
    let task = network.makeSession(delegate: delegate).uploadTask(
      with: post(), from: Data("sky!".utf8))
    task.resume()
    clock.advance(by: .milliseconds(1_500))
    task.suspend()
    clock.advance(by: .seconds(10))
    task.resume()
    clock.run()
    #expect(
      delegate.lines == [
        "1s sent 2 2/4", "12s sent 2 4/4", "12s response", "12s end",
      ])
  }

  @Test func aTaskThatIsSuspendedAtOnceIsToldWhenItGoesOn() {
    stub()
    let task = network.makeSession(delegate: delegate).uploadTask(
      with: post(), from: Data("sky".utf8))
    task.resume()
    task.suspend()
    clock.advance(by: .seconds(1))
    #expect(delegate.lines == [])
    task.resume()
    clock.run()
    #expect(delegate.lines == ["1s sent 3 3/3", "1050ms response", "1050ms end"])
  }

  @Test func aWaitingUploadIsSentWhenThereIsAConnection() {
    stub()
    network.isConnected = false
    network.makeSession(delegate: delegate, waitsForConnectivity: true)
      .uploadTask(with: post(), from: Data("sky".utf8)).resume()
    clock.advance(by: .seconds(3))
    network.isConnected = true
    clock.run()
    #expect(delegate.lines == ["3s sent 3 3/3", "3050ms response", "3050ms end"])
  }

  @Test func aDownloadHasABodyToo() {
    stub(.text("photo"))
    network.makeSession(delegate: delegate).downloadTask(with: post(.example("photo"), 3)).resume()
    clock.run()
    #expect(delegate.lines == ["0 sent 3 3/3", "0 end"])
  }

  @Test func anUploadHasAtLeastOnePiece() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = StubResponse.status(200).afterUpload(in: 0, over: .seconds(1))
    }
    #expect(
      try fatalMessage(result) == "a body can't be sent in 0 pieces: send it in at least one")
  }
}

/// Records how much was sent, and when.
private final class SendingDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
  Sendable
{
  private struct State {
    var lines: [String] = []
    var counts: [Int64] = []
    var expected: Set<Int64> = []
    var onEnd: (@Sendable () -> Void)?
  }

  private let clock: VirtualTimeScheduler
  private let state = Locked(State())

  init(_ clock: VirtualTimeScheduler) { self.clock = clock }

  var lines: [String] { state.withLock { $0.lines } }
  var counts: [Int64] { state.withLock { $0.counts } }
  var total: Int64 { counts.reduce(0, +) }
  var expected: Set<Int64> { state.withLock { $0.expected } }

  func onEnd(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = action } }
  func end() { state.withLock { $0.onEnd }?() }

  private func write(_ line: String) {
    let line = "\(clock.now) \(line)"
    state.withLock { $0.lines.append(line) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    state.withLock {
      $0.counts.append(bytesSent)
      $0.expected.insert(totalBytesExpectedToSend)
    }
    write("sent \(bytesSent) \(totalBytesSent)/\(totalBytesExpectedToSend)")
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    write("response")
    completionHandler(.allow)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo: URL
  ) {}

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    write("end" + (error.map { " \(($0 as? URLError)?.code.name ?? "")" } ?? ""))
    end()
  }
}
