import StreamsFoundation

/// Doubles the odd numbers, and drops the others.
func doubledOddNumbers(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers
    // Change only this.
    .filter { !$0.isMultiple(of: 2) }
    .map { $0 * 2 }
    .filter { !$0.isMultiple(of: 2) }
}
