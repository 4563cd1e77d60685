import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The app's own settings can't fail`() throws {
  let world = try World.current

  // region: example
  struct Settings: Decodable {
    var columns: Int
  }
  let file = Just(Data(#"{ "columns": 3 }"#.utf8))
  file
    .decode(type: Settings.self, decoder: JSONDecoder())
    .lane("decode")
    .assertNoFailure("settings.json")
    .map(\.columns)
    .lane("columns")
    .sink { print($0, "columns") }
    .store(in: &world.cancellables)
  // endregion
}
