import StreamsFoundation

/// Doubles the odd numbers, and drops the others.
func doubledOddNumbers(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers
    // Change only this.
    .flatMap { number in [number].filter { !$0.isMultiple(of: 2) }.publisher }
    .map { $0 + $0 }
    .eraseToAnyPublisher()
}
