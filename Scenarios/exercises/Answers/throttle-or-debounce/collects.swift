import StreamsFoundation

/// What the preview shows: something at once, and then at most every 50 ms.
func preview(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // Change only this.
    .collect(.byTime(DispatchQueue.main, .milliseconds(50)))
    .compactMap(\.last)
}

/// What is saved: the last tap, once 40 ms have passed without another.
func saved(_ taps: some Publisher<Int, Never>) -> some Publisher<Int, Never> {
  taps
    // And this.
    .debounce(for: .milliseconds(40), scheduler: DispatchQueue.main)
}
