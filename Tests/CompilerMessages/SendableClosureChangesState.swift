import Streams

@MainActor final class List {
  var titles: [String] = []

  func follow(_ source: some Publisher<String, Never>) -> AnyCancellable {
    source.sink { @Sendable title in self.titles.append(title) }
  }
}
