import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  temperature
    // Change only this.
    .map { degrees in
      wind.map { "\(degrees)°, wind \($0)" }.prepend("\(degrees)°, no wind")
    }
    .switchToLatest()
}
