import StreamsFoundation

/// The total after each coin.
func runningTotal(_ coins: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  coins
    // Change only this.
    .scan(1) { total, coin in total + coin }
}
