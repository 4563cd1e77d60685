import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The file is read on another queue`() throws {
  let world = try World.current

  // region: example
  let file = Deferred {
    print("read the file, main queue:", isOnMainQueue)
    return Just("2 tasks")
  }
  file
    .lane("file")
    .subscribe(on: DispatchQueue(label: "files"))
    .receive(on: DispatchQueue.main)
    .lane("receive(on:)")
    .sink { print("show \($0), main queue:", isOnMainQueue) }
    .store(in: &world.cancellables)
  print("the view is ready")
  // endregion
}
