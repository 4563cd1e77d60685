import StreamsFoundation

/// Shows the names in a label.
func show(_ names: some Publisher<String, URLError>, in label: Label) -> AnyCancellable {
  names
    // Change only this.
    .sink { [weak label] completion in
      if case .failure = completion { label?.text = "?" }
    } receiveValue: { [weak label] name in
      label?.text = name
    }
}
