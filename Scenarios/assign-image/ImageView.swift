import ScenarioKit

// region: view
/// Shows an image, and says when it is released.
final class ImageView {
  var image = Image.frame { didSet { draw("shows") } }
  private var subscription: AnyCancellable?

  deinit { print("view: released") }

  func draw(_ verb: String) {
    print("view: \(verb)")
    for line in image.lines { print("|\(line)|") }
  }
}
// endregion

// region: bindings
extension ImageView {
  /// Shows what comes; the subscription keeps the view, and the view the subscription.
  func follow(_ images: some Publisher<Image, Never>) {
    subscription = images.assign(to: \.image, on: self)
  }

  /// Shows what comes for as long as somebody else keeps the view.
  func followWeakly(_ images: some Publisher<Image, Never>) {
    subscription = images.sink { [weak self] in self?.image = $0 }
  }
}
// endregion

// region: left-over
/// Makes a view, hands it over, and lets go of it.
///
/// - Returns: Whether it is there still.
func isLeftOver(after body: (ImageView) -> Void) -> Bool {
  weak var leftOver: ImageView?
  do {
    let view = ImageView()
    body(view)
    leftOver = view
  }
  return leftOver != nil
}
// endregion
