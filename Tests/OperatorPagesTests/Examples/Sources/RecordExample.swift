import StreamsTesting
import Testing

@Test(.example) private func `A recorded failure arrives at once`() throws {
  let world = try World.current

  // region: example
  let download = Record<String, Oops> { recording in
    recording.receive("25 %")
    recording.receive("50 %")
    recording.receive(completion: .failure(Oops()))
  }
  download
    .lane("Record")
    .replaceError(with: "failed")
    .lane("replaceError")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
