import StreamsFoundation

/// The first two different names.
func winners(_ names: some Publisher<String, Never>) -> some Publisher<String, Never> {
  names
    // Change only this.
    .scan((names: [String](), isNew: true)) { last, name in
      let isNew = !last.names.contains(name)
      return (isNew ? last.names + [name] : last.names, isNew)
    }
    .filter(\.isNew)
    .compactMap(\.names.last)
    .prefix(2)
}
