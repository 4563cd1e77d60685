import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private let latest = CurrentValueSubject<Int, Never>(0)
  var readings: some Publisher<Int, Never> { latest.dropFirst() }

  func measure(_ degrees: Int) { latest.send(degrees) }
}
