import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  temperature
    // Change only this.
    .combineLatest(wind.map { "wind \($0)" }.prepend("no wind")) { "\($0)°, \($1)" }
    .removeDuplicates()
}
