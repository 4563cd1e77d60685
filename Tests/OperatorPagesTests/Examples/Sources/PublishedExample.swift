import StreamsTesting
import Testing

@Test(.example) private func `A new name arrives before the property has it`() throws {
  let world = try World.current

  // region: example
  final class Profile {
    @Published var name = "Ann"
  }

  let profile = Profile()
  profile.$name
    .lane("$name")
    .sink { print("new: \($0), property: \(profile.name)") }
    .store(in: &world.cancellables)
  world.at(.milliseconds(1)) { profile.name = "Anna" }
  world.at(.milliseconds(2)) { profile.name = "Anna" }
  // endregion
}
