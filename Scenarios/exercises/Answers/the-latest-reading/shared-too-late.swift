import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private let subject = PassthroughSubject<Int, Never>()
  lazy var readings = subject.multicast(subject: CurrentValueSubject(0)).autoconnect()

  func measure(_ degrees: Int) { subject.send(degrees) }
}
