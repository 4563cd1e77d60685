import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private let latest = CurrentValueSubject<Int?, Never>(nil)
  var readings: some Publisher<Int, Never> { latest.compactMap { $0 } }

  func measure(_ degrees: Int) { latest.send(degrees) }
}
