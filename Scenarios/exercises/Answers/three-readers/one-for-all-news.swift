import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  private let request: AnyPublisher<String, Never>

  init(request: AnyPublisher<String, Never>) { self.request = request }

  // Change only this.
  nonisolated(unsafe) static var shared: Publishers.Share<AnyPublisher<String, Never>>?
  var headline: some Publisher<String, Never> {
    let headline = Self.shared ?? request.share()
    Self.shared = headline
    return headline
  }
}
