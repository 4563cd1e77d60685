import StreamsFoundation

/// The first two different names.
func winners(_ names: some Publisher<String, Never>) -> some Publisher<String, Never> {
  names
    // Change only this.
    .removeDuplicates()
    .scan([]) { $0 + [$1] }
    .prefix { $0.count < 3 }
    .map { $0[$0.count - 1] }
}
