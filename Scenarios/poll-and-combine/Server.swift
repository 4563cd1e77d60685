import ScenarioKit

// region: sensors
extension Sensor {
  static let thermometer = Sensor(path: "thermometer") { tick in
    .text("\(17 + tick) degrees", after: .milliseconds(100))
  }
  static let anemometer = Sensor(path: "anemometer") { tick in
    .text("\(tick) m/s", after: .milliseconds(600))
  }
  static let stuckAnemometer = Sensor(path: "stuck-anemometer") { tick in
    .text("\(tick) m/s", after: tick == 1 ? .milliseconds(600) : .seconds(10))
  }
}
// endregion

/// Stubs the responses of sensors to three ticks.
func stub(_ sensors: Sensor..., in world: World) {
  for sensor in sensors {
    for tick in 1...3 {
      world.network.stub(.get, sensor.url(at: tick), responses: sensor.response(tick))
    }
  }
}
