import StreamsTesting
import Testing

@Test(.example) private func `A photo that is too large fails`() throws {
  let world = try World.current

  // region: example
  enum UploadError: Error { case tooLarge }

  func upload(megabytes: Int) -> AnyPublisher<String, UploadError> {
    guard megabytes <= 5 else {
      return Fail(error: .tooLarge).lane("Fail").eraseToAnyPublisher()
    }
    return Just("sent")
      .setFailureType(to: UploadError.self)
      .eraseToAnyPublisher()
  }

  let photos = world.cold("-2-9-3|", digits)
  photos
    .lane("photos")
    .flatMap { upload(megabytes: $0) }
    .lane("flatMap")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
