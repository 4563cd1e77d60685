import ScenarioKit

let scenario = Scenario(
  "poll-and-combine", "Poll two sensors every second, and combine their readings in two ways.")

// region: ticks
func threeTicks() -> some Publisher<Int, Never> {
  // note: Publishes the date once a second, and never finishes.
  Timer.publish(every: 1, on: .main, in: .common)
    .autoconnect()
    // note: Replaces the dates with a count: 1, 2, 3.
    .scan(0) { tick, _ in tick + 1 }
    // note: Finishes after three ticks, so that a run has an end. An app would leave this out.
    .prefix(3)
    .lane("ticks")
    // note: Both sensors get the same ticks. Without this, each would have a timer of its own.
    .share()
}
// endregion

// region: readings
func readings(
  of sensor: Sensor, at ticks: some Publisher<Int, Never>, in world: World
) -> some Publisher<String, URLError> {
  ticks
    // note: Sends a request at each tick, and passes on each response when it arrives.
    .flatMap { tick in world.session.dataTaskPublisher(for: sensor.url(at: tick)) }
    .map { String(decoding: $0.data, as: UTF8.self) }
    .lane(sensor.path)
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
    .timeout(.seconds(2), scheduler: DispatchQueue.main) { URLError(.timedOut) }
    .lane("timeout")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
