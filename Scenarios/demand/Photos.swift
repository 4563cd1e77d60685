import ScenarioKit

// region: library
func library() -> some Publisher<Int, Never> {
  (1...40_000).publisher
}

func makeThumbnail(of photo: Int) -> String {
  print("makes thumbnail", photo)
  return "thumbnail \(photo)"
}
// endregion

/// Takes a photo every 10 ms, four in all.
func takePhotos(with camera: some Subject<String, Never>, in world: World) {
  for photo in 1...4 {
    world.at(.milliseconds(10 * photo)) { camera.send("photo \(photo)") }
  }
  world.at(.milliseconds(50)) { camera.send(completion: .finished) }
}
