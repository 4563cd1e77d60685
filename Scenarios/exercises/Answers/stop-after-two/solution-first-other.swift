import StreamsFoundation

/// The first two different names.
func winners(_ names: some Publisher<String, Never>) -> some Publisher<String, Never> {
  // Change only this.
  names.scan([]) { ($0 + [$1]).suffix(2) }
    .filter { $0.count == 1 || $0[0] != $0[1] }
    .map { $0[$0.count - 1] }
    .prefix(2)
}
