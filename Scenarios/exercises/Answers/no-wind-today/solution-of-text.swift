import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  // Change only this.
  Publishers.CombineLatest(
    temperature, Just("no wind").append(wind.map { "wind \($0)" })
  )
  .map { "\($0)°, \($1)" }
}
