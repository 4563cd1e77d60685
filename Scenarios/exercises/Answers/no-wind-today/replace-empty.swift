import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  // Change only this.
  temperature.combineLatest(wind.map { "wind \($0)" }.replaceEmpty(with: "no wind")) {
    "\($0)°, \($1)"
  }
}
