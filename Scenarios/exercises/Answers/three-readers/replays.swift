import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  private let request: AnyPublisher<String, Never>

  init(request: AnyPublisher<String, Never>) { self.request = request }

  // Change only this.
  lazy var headline = request.multicast { CurrentValueSubject<String, Never>("") }.autoconnect()
}
