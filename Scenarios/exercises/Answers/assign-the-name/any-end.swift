import StreamsFoundation

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  names
    // Change only this.
    .sink(
      receiveCompletion: { _ in label.text = "?" },
      receiveValue: { label.text = $0 })
}
