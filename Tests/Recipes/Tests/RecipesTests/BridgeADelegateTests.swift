import StreamsTesting
import Testing

@testable import Recipes

private final class FakeThermometer: Thermometer {
  weak var delegate: (any ThermometerDelegate)?
  private(set) var log: [String] = []

  func start() { log.append("start") }
  func stop() { log.append("stop") }
  func measure(_ degrees: Double) { delegate?.thermometer(self, didMeasure: degrees) }
}

@Suite(.world, .drawn) struct BridgeADelegateTests {
  // region: test
  @Test func `The sensor runs while someone listens`() throws {
    let world = try World.current
    let thermometer = FakeThermometer()
    let feed = TemperatureFeed(thermometer)
    for time in stride(from: 10, through: 60, by: 10) {
      world.at(.milliseconds(time)) { thermometer.measure(20 + Double(time) / 10) }
    }

    let kitchen = world.record(feed.temperatures, as: "kitchen")
    var hall: Recorder<Double, Never>?
    world.at(.milliseconds(15)) { hall = world.record(feed.temperatures, as: "hall") }
    world.at(.milliseconds(25)) { kitchen.cancel() }
    world.at(.milliseconds(45)) { hall?.cancel() }
    world.run()
    #expect(kitchen.values == [21, 22])
    #expect(hall?.values == [22, 23, 24])
    #expect(thermometer.log == ["start", "stop"])
  }
  // endregion

  @Test func `The last subscriber stops it, and a new one starts it again`() throws {
    let world = try World.current
    let thermometer = FakeThermometer()
    let feed = TemperatureFeed(thermometer)
    let first = feed.temperatures.sink { _ in }
    let second = feed.temperatures.sink { _ in }
    first.cancel()
    #expect(thermometer.log == ["start"])
    second.cancel()
    #expect(thermometer.log == ["start", "stop"])
    var values: [Double] = []
    let third = feed.temperatures.sink { values.append($0) }
    thermometer.measure(19)
    third.cancel()
    #expect(values == [19])
    #expect(thermometer.log == ["start", "stop", "start", "stop"])
    _ = world
  }

  @Test func `The feed and the sensor are released`() {
    let thermometer = FakeThermometer()
    weak var feed: TemperatureFeed?
    do {
      let strong = TemperatureFeed(thermometer)
      feed = strong
      strong.temperatures.sink { _ in }.cancel()
    }
    #expect(feed == nil)
  }
}
