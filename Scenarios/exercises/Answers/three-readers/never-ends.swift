import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  private let request: AnyPublisher<String, Never>

  init(request: AnyPublisher<String, Never>) { self.request = request }

  // Change only this.
  private let latest = CurrentValueSubject<String?, Never>(nil)
  private var subscription: AnyCancellable?
  var headline: some Publisher<String, Never> {
    subscription = subscription ?? request.sink { [latest] in latest.send($0) }
    return latest.compactMap { $0 }
  }
}
