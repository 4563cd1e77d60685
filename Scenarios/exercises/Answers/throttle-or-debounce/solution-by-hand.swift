import StreamsFoundation

/// What the preview shows: something at once, and then at most every 50 ms.
func preview(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // Change only this.
    .throttle(for: .seconds(0.05), scheduler: DispatchQueue.main, latest: true)
    .eraseToAnyPublisher()
}

/// What is saved: the last tap, once 40 ms have passed without another.
func saved(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // And this.
    .map { tap in Just(tap).delay(for: .milliseconds(40), scheduler: DispatchQueue.main) }
    .switchToLatest()
}
