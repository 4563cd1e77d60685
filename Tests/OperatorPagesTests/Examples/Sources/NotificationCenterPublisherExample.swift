import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `One subscriber listens to one document only`() throws {
  let world = try World.current

  // region: example
  final class Document {}
  let (letter, invoice) = (Document(), Document())
  let didSave = Notification.Name("didSave")
  let center = NotificationCenter()

  center.publisher(for: didSave)
    .map { $0.object as? Document === letter ? "letter" : "invoice" }
    .lane("all saved")
    .sink { print($0) }
    .store(in: &world.cancellables)
  center.publisher(for: didSave, object: letter)
    .map { _ in "letter" }
    .lane("letter saved")
    .sink { print($0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(1)) { center.post(name: didSave, object: invoice) }
  world.at(.milliseconds(2)) { center.post(name: didSave, object: letter) }
  // endregion
}
