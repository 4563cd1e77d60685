import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private var latest: Int?
  private let subject = PassthroughSubject<Int, Never>()
  var readings: some Publisher<Int, Never> {
    defer { latest = nil }
    return subject.prepend(latest.map { [$0] } ?? [])
  }

  func measure(_ degrees: Int) {
    latest = degrees
    subject.send(degrees)
  }
}
