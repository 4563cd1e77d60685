import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private var first: Int?
  private let subject = PassthroughSubject<Int, Never>()
  var readings: some Publisher<Int, Never> { subject.prepend(first.map { [$0] } ?? []) }

  func measure(_ degrees: Int) {
    first = first ?? degrees
    subject.send(degrees)
  }
}
