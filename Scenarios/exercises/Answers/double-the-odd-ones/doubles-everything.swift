import StreamsFoundation

/// Doubles the odd numbers, and drops the others.
func doubledOddNumbers(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers
    // Change only this.
    .map { $0 * 2 }
}
