import StreamsTesting
import Testing

@testable import App

@Suite(.world) struct DownloaderTests {
  // region: download
  @Test func showsTheProgressOfADownload() throws {
    let world = try World.current
    let song = URL(string: "https://example.com/song")!
    world.network.stub(
      .get, song.absoluteString,
      responses: .chunked(
        chunks: [.init("la ", after: .milliseconds(10)), .init("la", after: .milliseconds(30))]))

    let downloader = Downloader()
    let bytes = world.record(downloader.bytes)
    let text = world.record(downloader.text)
    world.makeSession(delegate: downloader).downloadTask(with: song).resume()
    world.run()
    #expect(
      bytes.events == [
        .subscription(at: .zero), .value(0, at: .zero), .value(3, at: .milliseconds(10)),
        .value(5, at: .milliseconds(40)), .finished(at: .milliseconds(40)),
      ])
    #expect(text.values == [nil, "la la"])
  }
  // endregion

  @Test func passesTheFailureOfADownloadOn() throws {
    let world = try World.current
    let song = URL(string: "https://example.com/song")!
    world.network.stub(.get, song.absoluteString, responses: .failure(.networkConnectionLost))
    let downloader = Downloader()
    let text = world.record(downloader.text)
    world.makeSession(delegate: downloader).downloadTask(with: song).resume()
    world.run()
    #expect(
      text.events == [
        .subscription(at: .zero), .value(nil, at: .zero),
        .failure(URLError(.networkConnectionLost), at: .zero),
      ])
  }
}
