import ScenarioKit

let scenario = Scenario(
  "poll-and-combine", "Poll two sensors each second, and combine what they say in two ways.")

// region: poll
func readings(
  of sensor: Sensor, at ticks: some Publisher<Int, Never>, in world: World
) -> AnyPublisher<String, any Error> {
  ticks
    .setFailureType(to: (any Error).self)
    // note: Each tick becomes a request; its answer comes when it comes.
    .flatMap { tick in
      world.session
        .dataTaskPublisher(for: world.url(sensor.address(at: tick)))
        .map { String(decoding: $0.data, as: UTF8.self) }
        .mapError { $0 as any Error }
    }
    .eraseToAnyPublisher()
}

func ticks(_ count: Int) -> AnyPublisher<Int, Never> {
  Timer.publish(every: 1, on: .main, in: .common)
    // note: The timer starts with its first subscriber, and stops with the last.
    .autoconnect()
    .scan(0) { count, _ in count + 1 }
    .prefix(count)
    // note: One count of ticks for both sensors.
    .share()
    .eraseToAnyPublisher()
}
// endregion

// region: latest
scenario.part("combineLatest: whenever one of them speaks") { world in
  let ticks = ticks(3)
  let thermometer = readings(of: .thermometer, at: ticks, in: world)
  let anemometer = readings(of: .anemometer, at: ticks, in: world)
  stub([.thermometer, .anemometer], in: world)
  thermometer.combineLatest(anemometer) { "\($0), \($1)" }
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

// region: zip
scenario.part("zip: what belongs together") { world in
  let ticks = ticks(3)
  let thermometer = readings(of: .thermometer, at: ticks, in: world)
  let anemometer = readings(of: .anemometer, at: ticks, in: world)
  stub([.thermometer, .anemometer], in: world)
  thermometer.zip(anemometer) { "\($0), \($1)" }
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

// region: timeout
scenario.part("timeout: a sensor falls silent") { world in
  let ticks = ticks(3)
  let thermometer = readings(of: .thermometer, at: ticks, in: world)
  let anemometer = readings(of: .stuckAnemometer, at: ticks, in: world)
  stub([.thermometer, .stuckAnemometer], in: world)
  thermometer.zip(anemometer) { "\($0), \($1)" }
    // note: Counts from the subscription, and anew from each value. An error of our own says what it
    //   means here.
    .timeout(.seconds(2), scheduler: DispatchQueue.main) { PollError.silence }
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
