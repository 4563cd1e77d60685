import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct ProgressOfADownloadTests {
  // region: test
  @Test func `Progress with each chunk, and the data at the end`() throws {
    let world = try World.current
    let url = URL(string: "https://example.com/notes")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .chunked(
        headers: ["Content-Length": "8"],
        chunks: [
          .init("Buy ", after: .milliseconds(100)), .init("egg", after: .milliseconds(100)),
          .init("s", after: .milliseconds(50)),
        ], latency: .milliseconds(100)))

    let downloads = DownloadDelegate()
    let session = world.makeSession(delegate: downloads)
    let texts = downloads.download(url, in: session)
      .map { event in
        switch event {
        case .progress(let received, let total): "\(received) of \(total ?? 0)"
        case .finished(let data): String(decoding: data, as: UTF8.self)
        }
      }
    let result = world.record(texts, as: "download")
    world.run()

    #expect(
      result.events == [
        .subscription(at: .zero), .value("4 of 8", at: .milliseconds(200)),
        .value("7 of 8", at: .milliseconds(300)), .value("8 of 8", at: .milliseconds(350)),
        .value("Buy eggs", at: .milliseconds(350)), .finished(at: .milliseconds(350)),
      ])
  }
  // endregion
}

@Suite(.world) struct ProgressOfADownloadEdgeTests {
  private let url = URL(string: "https://example.com/notes")!

  private func notes(
    status: Int = 200, headers: [String: String] = [:], end: StubResponse.End = .finish
  ) -> StubResponse {
    .chunked(
      status: status, headers: headers,
      chunks: [.init("one", after: .milliseconds(100)), .init("two", after: .milliseconds(100))],
      end: end)
  }

  @Test func `An error keeps its code and its details`() {
    let timeout = NSError(
      domain: NSURLErrorDomain, code: NSURLErrorTimedOut, userInfo: ["try": "again"])
    #expect(URLError(ofTask: timeout).code == .timedOut)
    #expect(URLError(ofTask: timeout).userInfo["try"] as? String == "again")
    #expect(URLError(ofTask: URLError(.badURL)).code == .badURL)
    #expect(URLError(ofTask: NSError(domain: NSPOSIXErrorDomain, code: -1001)).code == .unknown)
  }

  @Test func `Without a length there's no total`() throws {
    let world = try World.current
    world.network.stub(.get, url, responses: notes())
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)))
    world.run()
    #expect(
      result.values == [
        .progress(received: 3, total: nil), .progress(received: 6, total: nil),
        .finished(Data("onetwo".utf8)),
      ])
  }

  @Test func `A lost connection fails the stream`() throws {
    let world = try World.current
    world.network.stub(.get, url, responses: notes(end: .fail(.networkConnectionLost)))
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)))
    world.run()
    #expect(
      result.events.last == .failure(URLError(.networkConnectionLost), at: .milliseconds(200)))
  }

  @Test func `The page of an error isn't the data`() throws {
    let world = try World.current
    world.network.stub(.get, url, responses: notes(status: 404))
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)))
    world.run()
    #expect(result.events.last == .failure(URLError(.badServerResponse), at: .milliseconds(200)))
  }

  @Test func `A slow subscriber gets the newest event, and the data in any case`() throws {
    let world = try World.current
    world.network.stub(.get, url, responses: notes())
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)), demand: .max(1))
    world.at(.seconds(1)) { result.request(.unlimited) }
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .value(.progress(received: 3, total: nil), at: .milliseconds(100)),
        .value(.finished(Data("onetwo".utf8)), at: .seconds(1)), .finished(at: .seconds(1)),
      ])
  }

  @Test func `A cancellation cancels the task`() throws {
    let world = try World.current
    world.network.stub(.get, url, responses: notes())
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)))
    world.at(.milliseconds(150)) { result.cancel() }
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .value(.progress(received: 3, total: nil), at: .milliseconds(100)),
        .cancelled(at: .milliseconds(150)),
      ])
    #expect(world.network.events.last?.kind == .cancelled(bytes: 3))
  }

  @Test func `Nothing is loaded before a value is requested`() throws {
    let world = try World.current
    let downloads = DownloadDelegate()
    let result = world.record(
      downloads.download(url, in: world.makeSession(delegate: downloads)), demand: .none)
    world.at(.seconds(1)) { result.cancel() }
    world.run()
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .seconds(1))])
    #expect(world.network.events == [])
  }
}
