import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  private let request: AnyPublisher<String, Never>

  init(request: AnyPublisher<String, Never>) { self.request = request }

  // Change only this.
  private var subscription: AnyCancellable?
  private let subject = PassthroughSubject<String, Never>()
  private var readers = 0
  var headline: some Publisher<String, Never> {
    subject.handleEvents(receiveSubscription: { [unowned self] _ in
      readers += 1
      if readers == 3 { subscription = request.subscribe(subject) }
    })
  }
}
