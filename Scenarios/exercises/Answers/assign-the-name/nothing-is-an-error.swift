import StreamsFoundation

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  names
    // Change only this.
    .replaceError(with: "?")
    .replaceEmpty(with: "?")
    .assign(to: \.text, on: label)
}
