import StreamsFoundation

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  names
    // Change only this.
    .prefix(2)
    .replaceError(with: "?")
    .append("?")
    .assign(to: \.text, on: label)
}
