import ScenarioKit

// region: seconds
func seconds(in world: World) -> some Publisher<Int, Never> {
  let seconds = PassthroughSubject<Int, Never>()
  world.at(.milliseconds(20)) { seconds.send(1) }
  world.at(.milliseconds(40)) { seconds.send(2) }
  world.at(.milliseconds(60)) { seconds.send(3) }
  world.at(.milliseconds(80)) { seconds.send(completion: .finished) }
  // note: Gives the stream a row in the pictures. An app doesn't need that.
  return seconds.lane("seconds")
}
// endregion

// region: view
final class ClockView {
  private(set) var subscription: AnyCancellable?

  func follow(_ seconds: some Publisher<Int, Never>) {
    subscription = seconds.sink { [weak self] in self?.show($0) }
  }

  func followStrongly(_ seconds: some Publisher<Int, Never>) {
    subscription = seconds.sink { self.show($0) }
  }

  private func show(_ second: Int) { print("the view shows", second) }

  deinit { print("the view is released") }
}
// endregion
