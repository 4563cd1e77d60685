import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

@Suite struct UploadTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let ends = Locked<[String]>([])

  init() { network = StubNetwork(clock: clock) }

  private var post: URLRequest {
    var request = URLRequest(url: .example("photo"))
    request.httpMethod = "POST"
    return request
  }

  /// Responds with the body of the request.
  private func echo() {
    network.serve("https://example.com") { request in
      .chunked(
        chunks: [.init("got "), .init(request.httpBody ?? Data(), after: .seconds(1))],
        latency: .seconds(1))
    }
  }

  private func end(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) {
    let status = (response as? HTTPURLResponse).map { "\($0.statusCode) " } ?? ""
    let body = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let code = (error as? URLError).map { "\($0.code)" } ?? ""
    ends.withLock { $0.append("\(clock.now) \(status)\(body)\(code)") }
  }

  private var lines: [String] { ends.withLock { $0 } }

  // MARK: Bodies

  @Test func aStubMatchesTheBodyOfAnUpload() throws {
    network.stub(
      .post, .example("photo"), body: .text("sky"), responses: .status(201, after: .seconds(1)))
    network.stub(
      .post, .example("photo"), body: .json(#"{"a": 1}"#), responses: .status(202))
    let session = network.makeSession()
    session.uploadTask(with: post, from: Data("sky".utf8), completionHandler: end).resume()
    session.uploadTask(with: post, from: Data(#"{"a":1}"#.utf8), completionHandler: end).resume()
    clock.run()
    #expect(lines == ["0 202 ", "1s 201 "])
    #expect(
      network.events.map(\.description) == [
        "0 request 1: POST https://example.com/photo",
        "0 request 2: POST https://example.com/photo", "0 request 2: response 202",
        "0 request 2: finished", "1s request 1: response 201", "1s request 1: finished",
      ])
    try network.verify()
  }

  @Test func aServiceSeesTheBodyOfEachUpload() throws {
    echo()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try Data("file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = network.makeSession()
    session.uploadTask(with: post, from: Data("data".utf8), completionHandler: end).resume()
    session.uploadTask(with: post, fromFile: file, completionHandler: end).resume()
    session.uploadTask(with: post, from: nil, completionHandler: end).resume()
    clock.run()
    #expect(lines == ["2s 200 got data", "2s 200 got file", "2s 200 got "])
    try network.verify()
  }

  @Test func aDelegateReceivesTheChunksOfTheResponse() throws {
    echo()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try Data("file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let delegate = StreamingDelegate(clock)
    let session = network.makeSession(delegate: delegate)
    session.uploadTask(with: post, from: Data("data".utf8)).resume()
    clock.run()
    session.uploadTask(with: post, fromFile: file).resume()
    clock.run()
    #expect(
      delegate.lines == [
        "1s response 200", "1s data got ", "2s data data", "2s end",
        "3s response 200", "3s data got ", "4s data file", "4s end",
      ])
    try network.verify()
  }

  /// In a session with a data delegate too.
  @Test func aHandlerReceivesTheWholeBody() {
    echo()
    let delegate = StreamingDelegate(clock)
    network.makeSession(delegate: delegate)
      .uploadTask(with: post, from: Data("data".utf8), completionHandler: end).resume()
    clock.run()
    #expect(lines == ["2s 200 got data"])
    #expect(delegate.lines == [])
  }

  /// As in a real session.
  @Test func theUploadWinsOverTheBodyOfTheRequest() {
    echo()
    var request = post
    request.httpBody = Data("request".utf8)
    let task = network.makeSession()
      .uploadTask(with: request, from: Data("upload".utf8), completionHandler: end)
    task.resume()
    clock.run()
    #expect(lines == ["2s 200 got upload"])
    #expect(task.originalRequest?.httpBody == Data("request".utf8))
  }

  /// As in a real session.
  @Test func aFileIsReadWhenTheTaskIsResumed() throws {
    echo()
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    let task = network.makeSession()
      .uploadTask(with: post, fromFile: file, completionHandler: end)
    try Data("written later".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    task.resume()
    clock.run()
    #expect(lines == ["2s 200 got written later"])
  }

  /// As in a real session, which fails before it connects.
  @Test func aMissingFileFailsTheUpload() {
    echo()
    network.isConnected = false
    network.makeSession(waitsForConnectivity: true).uploadTask(
      with: post, fromFile: URL(fileURLWithPath: "/missing/file"), completionHandler: end
    ).resume()
    clock.run()
    #expect(lines == ["0 fileDoesNotExist"])
    #expect(
      network.events.map(\.description) == [
        "0 request 1: POST https://example.com/photo", "0 request 1: failed fileDoesNotExist",
      ])
  }

  @Test func theBodyOfAnUnmatchedUploadIsNamed() {
    network.stub(
      .post, .example("photo"), body: .text("sky"), responses: .status(201),
      fileID: "Test.swift", line: 7)
    network.makeSession()
      .uploadTask(with: post, from: Data("sea".utf8), completionHandler: end).resume()
    clock.run()
    #expect(lines == ["0 resourceUnavailable"])
    #expect(
      network.problems.first == """
        request 1 at 0: POST https://example.com/photo matches no stub; the nearest is the stub of \
        POST https://example.com/photo (Test.swift:7): body is "sea", not "sky"
        """)
  }

  // MARK: Uploads that are refused

  private let refusal = """
    POST https://example.com/photo is refused: a stub can't see the body of upload(for:from:), \
    upload(for:fromFile:) and uploadTask(withStreamedRequest:): use \
    uploadTask(with:from:completionHandler:), or data(for:) with the body in the request
    """

  @Test func anAsyncUploadIsRefused() async {
    network.stub(.post, .example("photo"), responses: .status(201).repeating)
    let session = network.makeSession()
    // Nothing moves the clock meanwhile.
    do {
      _ = try await session.upload(for: post, from: Data("sky".utf8))
      Issue.record("the upload succeeded")
    } catch {
      #expect((error as? URLError)?.code == .resourceUnavailable)
      #expect(error.localizedDescription == refusal)
    }
    #expect(network.problems.first == refusal)
    clock.run()
    #expect(
      network.events.map(\.description) == [
        "0 request 1: POST https://example.com/photo",
        "0 request 1: unmatched: " + refusal.split(separator: " is refused: ")[1],
        "0 request 1: failed resourceUnavailable",
      ])
    #expect(network.problems.first == refusal)
    #expect(network.problems.count == 2)
  }

  @Test func aStreamedUploadIsRefused() {
    network.stub(.post, .example("photo"), responses: .status(201).repeating)
    let delegate = StreamingDelegate(clock)
    network.makeSession(delegate: delegate).uploadTask(withStreamedRequest: post).resume()
    clock.run()
    #expect(delegate.lines == ["0 error resourceUnavailable"])
    #expect(network.problems.first == refusal)
  }

  // MARK: Invalidation

  @Test func anUploadAfterInvalidationFails() throws {
    let file = URL(fileURLWithPath: "/missing/file")
    let session = network.makeSession()
    let post = post
    let end = { @Sendable [self] in self.end($0, $1, $2) }
    session.uploadTask(with: post, from: Data()) { data, response, error in
      end(data, response, error)
      session.uploadTask(with: post, from: Data(), completionHandler: end).resume()
      session.uploadTask(with: post, fromFile: file, completionHandler: end).resume()
      session.uploadTask(with: post, from: Data()).resume()
      session.uploadTask(with: post, fromFile: file).resume()
    }.resume()
    network.stub(.post, .example("photo"), responses: .status(201, after: .seconds(1)))
    clock.settle()
    network.invalidate()
    #expect(lines == ["0 cancelled", "0 cancelled", "0 cancelled"])
  }
}
