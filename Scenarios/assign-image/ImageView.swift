import ScenarioKit

// region: view
/// A view that prints each image it gets, and a line when it's released.
final class ImageView {
  var image = Image.placeholder { didSet { print("view: shows", image) } }
  private var subscription: AnyCancellable?

  deinit { print("view: released") }
}
// endregion

// region: follow
extension ImageView {
  func follow(_ images: some Publisher<Image, Never>) {
    subscription = images.assign(to: \.image, on: self)
  }
}
// endregion

// region: follow-weakly
extension ImageView {
  func followWeakly(_ images: some Publisher<Image, Never>) {
    subscription = images.sink { [weak self] in self?.image = $0 }
  }
}
// endregion

// region: stays-alive
/// Makes a view, passes it to `body`, and gives up its own reference.
///
/// - Returns: Whether the view is still alive, which means that something else keeps it.
func viewStaysAlive(after body: (ImageView) -> Void) -> Bool {
  weak var weakView: ImageView?
  do {
    let view = ImageView()
    body(view)
    weakView = view
  }
  return weakView != nil
}
// endregion
