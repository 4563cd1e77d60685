import StreamsFoundation

/// A sensor with a delegate, as many frameworks have one.
protocol Thermometer: AnyObject {
  var delegate: (any ThermometerDelegate)? { get set }
  func start()
  func stop()
}

protocol ThermometerDelegate: AnyObject {
  func thermometer(_ thermometer: any Thermometer, didMeasure degrees: Double)
}

// region: recipe
/// The readings of a thermometer as a stream. It measures while there is a subscriber.
final class TemperatureFeed: ThermometerDelegate {
  private let thermometer: any Thermometer
  private let subject = PassthroughSubject<Double, Never>()

  /// The readings in degrees. All subscribers share them.
  let temperatures: AnyPublisher<Double, Never>

  init(_ thermometer: any Thermometer) {
    self.thermometer = thermometer
    temperatures =
      subject
      .handleEvents(
        receiveSubscription: { [weak thermometer] _ in thermometer?.start() },
        receiveCancel: { [weak thermometer] in thermometer?.stop() }
      )
      .share()
      .eraseToAnyPublisher()
    thermometer.delegate = self
  }

  func thermometer(_ thermometer: any Thermometer, didMeasure degrees: Double) {
    subject.send(degrees)
  }
}
// endregion
