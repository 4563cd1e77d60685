import StreamsFoundation

/// The line of a weather station.
func line(
  _ temperature: some Publisher<Int, Never>, _ wind: some Publisher<Int, Never>
) -> some Publisher<String, Never> {
  temperature
    // Change only this.
    .map { (Optional($0), Int?.none) }
    .merge(with: wind.map { (Int?.none, Optional($0)) })
    .scan((degrees: Int?.none, wind: Int?.none)) { last, next in
      (next.0 ?? last.degrees, next.1 ?? last.wind)
    }
    .compactMap { latest in
      latest.degrees.map { "\($0)°, " + (latest.wind.map { "wind \($0)" } ?? "no wind") }
    }
}
