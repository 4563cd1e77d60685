import StreamsFoundation

/// The first two different names.
func winners(_ names: some Publisher<String, Never>) -> some Publisher<String, Never> {
  names
    // Change only this.
    .map { $0.lowercased() }
    .removeDuplicates()
    .prefix(2)
}
