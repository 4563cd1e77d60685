import StreamsFoundation

/// What the preview shows: something at once, and then at most every 50 ms.
func preview(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // Change only this.
    .throttle(for: .milliseconds(50), scheduler: DispatchQueue.main, latest: true)
}

/// What is saved: the last tap, once 40 ms have passed without another.
func saved(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // And this.
    .last()
}
