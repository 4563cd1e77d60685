import StreamsFoundation

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  names
    // Change only this.
    .map { Result<String, URLError>.success($0) }
    .catch { Just(.failure($0)) }
    .map { (try? $0.get()) ?? "?" }
    .assign(to: \.text, on: label)
}
