import ScenarioKit

/// Prints who keeps whom at some moments of the run, from the references that the view has then.
struct Keepers {
  private final class Sample {}

  private struct Weak<Object: AnyObject> {
    weak var object: Object?
  }

  private let view: Weak<ClockView>
  private let isInWindow: () -> Bool

  /// - Parameter isInWindow: Tells whether the window has a reference to the view.
  init(of view: ClockView?, isInWindow: @escaping () -> Bool) {
    self.view = Weak(object: view)
    self.isInWindow = isInWindow
  }

  func show(at milliseconds: Int..., in world: World) {
    for time in milliseconds { world.at(.milliseconds(time)) { show() } }
  }

  private func show() {
    let references = Self.references(view)
    guard references > 0 else { return print("who keeps whom: nothing is left") }
    // A closure can't be looked into. But the only objects here are the window, the view and its
    // subscription, so a reference that isn't the window's is that of the subscription's closure.
    let others = references - (isInWindow() ? 1 : 0)
    print(
      "who keeps whom: \(isInWindow() ? "window → " : "")view"
        + "\(view.object?.subscription == nil ? "" : " → subscription")"
        + "\(others > 0 ? " → view" : "")")
  }

  /// The strong references to an object. Counting adds some of its own, as many as with a sample
  /// that has one reference.
  private static func references(_ object: Weak<some AnyObject>) -> Int {
    let sample = Sample()
    let weakly = Weak(object: sample)
    return withExtendedLifetime(sample) { count(object) - count(weakly) + 1 }
  }

  @inline(never) private static func count(_ weakly: Weak<some AnyObject>) -> Int {
    weakly.object.map { Int(_getRetainCount($0)) } ?? 0
  }
}
