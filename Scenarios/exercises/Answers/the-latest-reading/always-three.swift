import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  let subject = PassthroughSubject<Int, Never>()
  var readings: some Publisher<Int, Never> { subject.prepend(3) }

  func measure(_ degrees: Int) { subject.send(degrees) }
}
