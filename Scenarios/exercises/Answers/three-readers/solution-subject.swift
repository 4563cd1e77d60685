import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  private let request: AnyPublisher<String, Never>

  init(request: AnyPublisher<String, Never>) { self.request = request }

  // Change only this.
  private let subject = PassthroughSubject<String, Never>()
  private var subscription: AnyCancellable?
  var headline: AnyPublisher<String, Never> {
    subscription = subscription ?? request.subscribe(subject)
    return subject.eraseToAnyPublisher()
  }
}
