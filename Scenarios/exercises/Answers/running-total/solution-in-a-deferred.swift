import StreamsFoundation

/// The total after each coin.
func runningTotal(_ coins: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  // Change only this.
  Deferred {
    var total = 0
    return coins.map { coin in
      total += coin
      return total
    }
  }
}
