import ScenarioKit

/// A slider whose position goes up by one each time the finger moves.
final class Slider {
  let positions = PassthroughSubject<Int, Never>()
  private let world: World

  init(_ world: World) { self.world = world }

  func move(at times: [Int], endingAt end: Int) {
    for (index, time) in times.enumerated() {
      world.at(.milliseconds(time)) { [positions] in positions.send(index + 1) }
    }
    world.at(.milliseconds(end)) { [positions] in positions.send(completion: .finished) }
  }
}
