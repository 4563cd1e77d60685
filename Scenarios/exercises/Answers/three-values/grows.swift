import StreamsFoundation

/// The letters a, b and c.
func letters() -> some Publisher<String, Never> {
  // Change only this.
  var rest = ["a", "b", "c"]
  return Deferred { () -> Publishers.Sequence<[String], Never> in
    defer { rest += ["a"] }
    return rest.publisher
  }
}
