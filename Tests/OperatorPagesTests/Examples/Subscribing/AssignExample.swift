import StreamsTesting
import Testing

@Test(.example) private func `Each value sets a label's text`() throws {
  let world = try World.current

  // region: object
  final class Label {
    var text = "" {
      didSet { print("label: “\(text)”") }
    }
  }
  let label = Label()
  let names = world.cold("-a-b|", ["a": "Ada", "b": "Bea"])
  names
    .lane("names")
    .assign(to: \.text, on: label)
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A published property follows a stream`() throws {
  let world = try World.current
  let names = world.cold("-a-b|", ["a": "Ada", "b": "Bea"])

  // region: published
  final class Profile {
    @Published var name = "–"
  }
  let profile = Profile()
  profile.$name
    .lane("$name")
    .sink { print($0) }
    .store(in: &world.cancellables)
  names
    .lane("names")
    .assign(to: &profile.$name)
  world.at(.milliseconds(6)) { print("profile:", profile.name) }
  // endregion
}
