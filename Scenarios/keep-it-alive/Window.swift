import ScenarioKit

/// The window, which has a view until it closes.
final class Window {
  var view: ClockView?
  /// To see whether the view is still there when the window has closed.
  private weak var everView: ClockView?

  init(_ view: ClockView) {
    self.view = view
    everView = view
  }

  func close() {
    print("the window closes")
    view = nil
  }

  /// Prints who keeps whom at some moments of the run.
  func showKeepers(at milliseconds: Int..., in world: World) {
    for time in milliseconds { world.at(.milliseconds(time)) { self.showKeepers() } }
  }

  private func showKeepers() {
    guard everView != nil else { return print("who keeps whom: nothing is left") }
    let isOpen = view != nil
    // A closure can't be looked into. But the only objects here are the window, the view and its
    // subscription. So if there's another reference than the window's, the subscription has it.
    let isKeptByAnother = !isOpen || !isKnownUniquelyReferenced(&view)
    print(
      "who keeps whom: \(isOpen ? "window → " : "")view"
        + "\(everView?.subscription == nil ? "" : " → subscription")"
        + "\(isKeptByAnother ? " → view" : "")")
  }
}
