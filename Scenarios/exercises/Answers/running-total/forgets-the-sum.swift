import StreamsFoundation

/// The total after each coin.
func runningTotal(_ coins: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  coins
    // Change only this.
    .scan((last: 0, total: 0)) { ($1, $0.last + $1) }
    .map { $0.total }
}
