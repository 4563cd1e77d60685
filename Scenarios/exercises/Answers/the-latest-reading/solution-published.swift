import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  @Published private var latest = 0
  var readings: some Publisher<Int, Never> { $latest }

  func measure(_ degrees: Int) { latest = degrees }
}
