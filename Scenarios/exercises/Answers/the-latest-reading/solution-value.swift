import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  let readings = CurrentValueSubject<Int, Never>(0)

  func measure(_ degrees: Int) { readings.value = degrees }
}
