import ScenarioKit

// region: sensor
enum PollError: Error {
  case silence
}

/// Where readings come from: each tick has a URL of its own.
struct Sensor {
  let path: String
  let answer: @Sendable (_ tick: Int) -> StubResponse

  func address(at tick: Int) -> String { "https://api.example.com/sensors/\(path)?tick=\(tick)" }

  static let thermometer = Sensor(path: "thermometer") { tick in
    .text("\(17 + tick) degrees", after: .milliseconds(100))
  }
  // note: Slower than the other.
  static let anemometer = Sensor(path: "anemometer") { tick in
    .text("\(tick) m/s", after: .milliseconds(600))
  }
  static let stuckAnemometer = Sensor(path: "stuck-anemometer") { tick in
    tick == 1
      ? .text("\(tick) m/s", after: .milliseconds(600))
      : .text("\(tick) m/s", after: .seconds(10))
  }
}
// endregion

func stub(_ sensors: [Sensor], in world: World) {
  for sensor in sensors {
    for tick in 1...3 {
      world.network.stub(.get, sensor.address(at: tick), responses: sensor.answer(tick))
    }
  }
}
