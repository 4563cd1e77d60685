import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  nonisolated(unsafe) private static let shared = CurrentValueSubject<Int, Never>(0)
  var readings: some Publisher<Int, Never> { Self.shared }

  func measure(_ degrees: Int) { Self.shared.send(degrees) }
}
