import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  // Change only this.
  temperature.combineLatest(wind.prepend(0)) { "\($0)°, \($1 == 0 ? "no wind" : "wind \($1)")" }
}
