import StreamsFoundation

nonisolated(unsafe) var kept: AnyCancellable?

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  // Change only this.
  kept = names.replaceError(with: "?").assign(to: \.text, on: label)
  return AnyCancellable {}
}
