import StreamsFoundation

/// A thermometer, at which screens can read the temperature.
final class Thermometer {
  // Change only this.
  private var latest: Int?
  private let subject = PassthroughSubject<Int, Never>()
  var readings: AnyPublisher<Int, Never> {
    Deferred { [unowned self] in subject.prepend(latest.map { [$0] } ?? []) }
      .eraseToAnyPublisher()
  }

  func measure(_ degrees: Int) {
    latest = degrees
    subject.send(degrees)
  }
}
