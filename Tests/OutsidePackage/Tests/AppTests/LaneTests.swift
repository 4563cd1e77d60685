import StreamsTesting
import Testing

@testable import App

// region: lanes
@Test(.world) func showsHowARetryWorks() throws {
  let world = try World.current
  let url = URL(string: "https://example.com/quote")!
  world.network.stub(
    .get, url.absoluteString,
    responses: .failure(.networkConnectionLost, after: .milliseconds(60)),
    .text("Begin at the beginning.", after: .milliseconds(100)))

  world.session.dataTaskPublisher(for: url).lane("data task")
    .retry(1).lane("retry")
    .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    .store(in: &world.cancellables)
  world.run()

  let recording = world.timeline.recording
  expectSnapshot(of: recording.marbles(), named: "marbles")
  expectSnapshot(of: try recording.explanation(of: "request 2 is made"), named: "why")
}
// endregion: lanes

@MainActor @Test(.world) func showsASearch() throws {
  let world = try World.current
  world.recordEverything()
  world.network.stub(
    .get, "https://example.com/search/swift",
    responses: .json(#"["Swift"]"#, after: .milliseconds(100)))
  let model = SearchModel(session: world.session)
  model.rows.sink { _ in }.store(in: &world.cancellables)
  model.query.send("swift")
  world.run()
  let recording = world.timeline.recording
  expectSnapshot(of: recording.marbles(), named: "marbles")

  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shows-a-search")
  try world.writeRun(to: folder)
  let picture = try Data(contentsOf: folder.appendingPathComponent("picture.svg"))
  #expect(picture == Data(recording.svg().utf8))
}
