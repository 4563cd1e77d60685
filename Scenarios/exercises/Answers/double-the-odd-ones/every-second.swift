import StreamsFoundation

/// Doubles the odd numbers, and drops the others.
func doubledOddNumbers(_ numbers: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  numbers
    // Change only this.
    .scan((place: 0, number: 0)) { ($0.place + 1, $1) }
    .filter { $0.place % 2 == 1 }
    .map { $0.number * 2 }
}
