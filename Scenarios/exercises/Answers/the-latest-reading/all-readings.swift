import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private var measured: [Int] = []
  private let subject = PassthroughSubject<Int, Never>()
  var readings: some Publisher<Int, Never> { measured.publisher.append(subject) }

  func measure(_ degrees: Int) {
    measured.append(degrees)
    subject.send(degrees)
  }
}
