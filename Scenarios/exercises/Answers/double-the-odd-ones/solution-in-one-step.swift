import StreamsFoundation

/// Doubles the odd numbers, and drops the others.
func doubledOddNumbers(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers
    // Change only this.
    .compactMap { $0.isMultiple(of: 2) ? nil : $0 * 2 }
}
