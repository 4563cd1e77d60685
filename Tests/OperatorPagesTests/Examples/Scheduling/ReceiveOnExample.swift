import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `Work here, show it there`() throws {
  let world = try World.current

  // region: example
  let photos = world.cold("-a-b|")
  photos
    .lane("photos")
    .receive(on: DispatchQueue(label: "work"))
    .map { photo in
      print("shrink \(photo), main queue:", isOnMainQueue)
      return "small \(photo)"
    }
    .receive(on: DispatchQueue.main)
    .lane("receive(on:)")
    .sink { print("show \($0), main queue:", isOnMainQueue) }
    .store(in: &world.cancellables)
  // endregion
}
