import Combine
import StreamsTesting
import Testing

#if swift(>=6)
  import CombineApp
#else
  import CombineApp5
#endif

// region: test
@MainActor @Test(.world) func showsTheNameOnceTheUserStopsTyping() throws {
  let world = try World.current
  world.network.stub(
    .get, "https://example.com/users/ada",
    responses: .json(#"{"name": "Ada"}"#, after: .milliseconds(100)))

  let model = ProfileModel(session: world.session)
  let title = world.record(model.$title, as: "title")
  model.query = "a"
  model.query = "ada"
  world.run()
  #expect(
    title.events == [
      .subscription(at: .zero), .value("", at: .zero), .value("Ada", at: .milliseconds(400)),
    ])
}
// endregion
