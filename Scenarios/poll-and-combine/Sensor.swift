import ScenarioKit

/// A sensor on the server. Each tick has its own URL.
struct Sensor {
  let path: String
  let response: @Sendable (_ tick: Int) -> StubResponse

  func url(at tick: Int) -> URL {
    URL(absolute: "https://api.example.com/sensors/\(path)?tick=\(tick)")
  }
}

func poll(
  _ first: Sensor, _ second: Sensor, in world: World
) -> (some Publisher<String, URLError>, some Publisher<String, URLError>) {
  stub(first, second, in: world)
  let ticks = threeTicks()
  return (readings(of: first, at: ticks, in: world), readings(of: second, at: ticks, in: world))
}
