import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  // Change only this.
  temperature
    .combineLatest(wind.map(Optional.some).prepend(nil))
    .map { degrees, wind in "\(degrees)°, " + (wind.map { "wind \($0)" } ?? "no wind") }
    .eraseToAnyPublisher()
}
