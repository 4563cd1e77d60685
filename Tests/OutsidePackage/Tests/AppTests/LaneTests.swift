import StreamsTesting
import Testing
import TimelinePictures

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
  expectSnapshot(of: try recording.explanation(of: 10), named: "why")
  try recording.svg().write(
    to: FileManager.default.temporaryDirectory.appendingPathComponent("retry.svg"),
    atomically: true, encoding: .utf8)
}
// endregion: lanes
