import StreamsExtras
import StreamsFoundation

// region: recipe
extension Publisher where Failure == Never {
  /// The values for a loop. Those that arrive while the loop is busy wait for it.
  ///
  /// - Parameter limit: How many values may wait. Beyond that, the oldest ones are dropped.
  func allValues(limit: Int = 1_000) -> AsyncPublisher<Publishers.Buffer<Self>> {
    buffer(size: limit, prefetch: .byRequest, whenFull: .dropOldest).values
  }
}
// endregion

// region: back
/// The lines of an asynchronous sequence, without empty ones, as a stream.
func nonEmptyLines<Lines: AsyncSequence & Sendable>(
  of lines: Lines
) -> AnyPublisher<String, Lines.Failure> where Lines.Element == String {
  AsyncSequencePublisher(lines)
    .filter { !$0.isEmpty }
    .eraseToAnyPublisher()
}
// endregion
