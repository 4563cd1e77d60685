import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

@Suite struct UploadTests {
  private let run = NetworkRun()
  private var network: StubNetwork { run.network }

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

  /// Writes what a handler gets.
  private var end: @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
    { [run] data, response, error in
      let status = (response as? HTTPURLResponse).map { "\($0.statusCode) " } ?? ""
      let body = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
      run.write("end \(status)\(body)\((error as? URLError)?.code.name ?? "")")
    }
  }

  private func withFile(_ body: (URL, _ write: () throws -> Void) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file) { try Data("file".utf8).write(to: file) }
  }

  private func ends() -> [String] { run.finish().filter { $0.contains(" end ") } }

  // MARK: Bodies

  @Test func aStubMatchesTheBodyOfAnUpload() throws {
    network.stub(
      .post, .example("photo"), body: .text("sky"), responses: .status(201, after: .seconds(1)))
    network.stub(
      .post, .example("photo"), body: .json(#"{"a": 1}"#), responses: .status(202))
    let session = run.session()
    session.uploadTask(with: post, from: Data("sky".utf8), completionHandler: end).resume()
    session.uploadTask(with: post, from: Data(#"{"a":1}"#.utf8), completionHandler: end).resume()
    #expect(
      run.finish() == [
        "0 request 1: POST /photo", "0 request 2: POST /photo", "0 request 2: 202 Accepted",
        "0 request 2: finished", "0 end 202 ", "1s request 1: 201 Created",
        "1s request 1: finished", "1s end 201 ",
      ])
    try network.verify()
  }

  @Test func aHandlerGetsTheWholeResponseToEachBody() throws {
    echo()
    // As in a real session, the upload wins over the body of the request.
    var request = post
    request.httpBody = Data("request".utf8)
    let session = run.session(delegate: run.delegate("delegate"))
    try withFile { file, write in
      session.uploadTask(with: request, from: Data("data".utf8), completionHandler: end).resume()
      // A file is read when the task is resumed.
      let task = session.uploadTask(with: post, fromFile: file, completionHandler: end)
      try write()
      task.resume()
      session.uploadTask(with: post, from: nil, completionHandler: end).resume()
      run.clock.run()
    }
    let history = run.history
    #expect(
      history.filter { $0.contains(" end ") } == [
        "2s end 200 got data", "2s end 200 got file", "2s end 200 got ",
      ])
    #expect(!history.contains { $0.contains("delegate") })
    try network.verify()
  }

  @Test func aDelegateReceivesTheChunksOfTheResponse() throws {
    echo()
    let session = run.session(delegate: run.delegate("photo"))
    try withFile { file, write in
      try write()
      session.uploadTask(with: post, from: Data("data".utf8)).resume()
      run.clock.run()
      session.uploadTask(with: post, fromFile: file).resume()
      run.clock.run()
    }
    #expect(
      run.history.filter { $0.contains("photo: ") } == [
        "1s photo: response 200", "1s photo: data got ", "2s photo: data data", "2s photo: end",
        "3s photo: response 200", "3s photo: data got ", "4s photo: data file", "4s photo: end",
      ])
    try network.verify()
  }

  /// As in a real session, which fails before it connects.
  @Test func aMissingFileFailsTheUpload() {
    echo()
    network.isConnected = false
    run.session(waits: true).uploadTask(
      with: post, fromFile: URL(fileURLWithPath: "/missing/file"), completionHandler: end
    ).resume()
    #expect(
      run.finish() == [
        "0 request 1: POST /photo", "0 request 1: failed: fileDoesNotExist",
        "0 end fileDoesNotExist",
      ])
  }

  @Test func theBodyOfAnUnmatchedUploadIsNamed() {
    network.stub(
      .post, .example("photo"), body: .text("sky"), responses: .status(201),
      fileID: "Test.swift", line: 7)
    run.session().uploadTask(with: post, from: Data("sea".utf8), completionHandler: end).resume()
    #expect(ends() == ["0 end resourceUnavailable"])
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
    let session = run.session()
    // Nothing moves the clock meanwhile.
    do {
      _ = try await session.upload(for: post, from: Data("sky".utf8))
      Issue.record("the upload succeeded")
    } catch {
      #expect((error as? URLError)?.code == .resourceUnavailable)
      #expect(error.localizedDescription == refusal)
    }
    #expect(network.problems.first == refusal)
    #expect(
      run.finish() == [
        "0 request 1: POST /photo",
        "0 request 1: failed: no response: " + refusal.split(separator: " is refused: ")[1],
        "0 request 1: failed: resourceUnavailable",
      ])
    #expect(network.problems.first == refusal)
    #expect(network.problems.count == 2)
  }

  // MARK: Invalidation

  @Test func anUploadAfterInvalidationFails() {
    let file = URL(fileURLWithPath: "/missing/file")
    let session = run.session()
    let post = post
    let end = end
    session.uploadTask(with: post, from: Data()) { data, response, error in
      end(data, response, error)
      session.uploadTask(with: post, from: Data(), completionHandler: end).resume()
      session.uploadTask(with: post, fromFile: file, completionHandler: end).resume()
      session.uploadTask(with: post, from: Data()).resume()
      session.uploadTask(with: post, fromFile: file).resume()
    }.resume()
    network.stub(.post, .example("photo"), responses: .status(201, after: .seconds(1)))
    run.clock.settle()
    network.invalidate()
    #expect(
      run.history.filter { $0.contains(" end ") }
        == Array(repeating: "0 end cancelled", count: 3))
  }
}
