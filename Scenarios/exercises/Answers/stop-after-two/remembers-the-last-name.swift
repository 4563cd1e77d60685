import StreamsFoundation

/// The first two different names.
func winners(_ names: some Publisher<String, Never>) -> some Publisher<String, Never> {
  // Change only this.
  var last: String?
  return names.filter { name in
    defer { last = name }
    return name != last
  }
  .prefix(2)
}
