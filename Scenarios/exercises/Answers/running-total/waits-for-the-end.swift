import StreamsFoundation

/// The total after each coin.
func runningTotal(_ coins: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  coins
    // Change only this.
    .collect()
    .flatMap { coins in coins.indices.map { coins[...$0].reduce(0, +) }.publisher }
}
