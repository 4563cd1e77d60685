import StreamsFoundation

/// The total after each coin.
func runningTotal(_ coins: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  coins
    // Change only this.
    .scan([]) { coins, coin in coins + [coin] }
    .map { coins in coins.reduce(0, +) }
}
