import ScenarioKit

let scenario = Scenario(
  "poll-and-combine", "Poll two sensors every second, and combine their readings in two ways.")

// region: readings
func readings(
  of sensor: Sensor, at ticks: some Publisher<Int, Never>, in world: World
) -> AnyPublisher<String, any Error> {
  ticks
    // note: Sends a request at each tick, and passes on each response when it arrives.
    .flatMap { tick in world.session.dataTaskPublisher(for: sensor.url(at: tick)) }
    .map { String(decoding: $0.data, as: UTF8.self) }
    .lane(sensor.path)
    // note: Changes only the error's type, because the last part adds an error of its own.
    .mapError { $0 as any Error }
    .eraseToAnyPublisher()
}

func threeTicks() -> some Publisher<Int, Never> {
  Timer.publish(every: 1, on: .main, in: .common)
    // note: Starts the timer with its first subscriber, and stops it with the last.
    .autoconnect()
    .scan(0) { tick, _ in tick + 1 }
    .prefix(3)
    .lane("ticks")
    // note: Both sensors get the same ticks. Without this, each would count its own.
    .share()
}
// endregion

// region: latest
scenario.part("combineLatest: the newest readings") { world in
  let (temperature, wind) = poll(.thermometer, .anemometer, in: world)
  temperature.combineLatest(wind) { "\($0), \($1)" }
    .lane("combineLatest")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

// region: zip
scenario.part("zip: readings in pairs") { world in
  let (temperature, wind) = poll(.thermometer, .anemometer, in: world)
  temperature.zip(wind) { "\($0), \($1)" }
    .lane("zip")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

// region: timeout
scenario.part("timeout: a sensor goes silent") { world in
  let (temperature, wind) = poll(.thermometer, .stuckAnemometer, in: world)
  temperature.zip(wind) { "\($0), \($1)" }
    .lane("zip")
    // note: Fails if no value arrives for 2 seconds. The time counts from the subscription, and
    //   starts again with each value.
    .timeout(.seconds(2), scheduler: DispatchQueue.main) { PollError.silence }
    .lane("timeout")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
