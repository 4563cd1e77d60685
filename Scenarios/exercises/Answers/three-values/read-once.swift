import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  AnySequence(AnyIterator(["a", "b", "c"].makeIterator())).publisher
}
