import ScenarioKit

/// A sensor on the server. Each tick has its own URL.
struct Sensor {
  let path: String
  let response: @Sendable (_ tick: Int) -> StubResponse

  func url(at tick: Int) -> URL {
    URL(absolute: "https://api.example.com/sensors/\(path)?tick=\(tick)")
  }
}

enum PollError: Error {
  case silence
}

// region: poll
func poll(
  _ first: Sensor, _ second: Sensor, in world: World
) -> (AnyPublisher<String, any Error>, AnyPublisher<String, any Error>) {
  stub(first, second, in: world)
  let ticks = threeTicks()
  return (readings(of: first, at: ticks, in: world), readings(of: second, at: ticks, in: world))
}
// endregion
