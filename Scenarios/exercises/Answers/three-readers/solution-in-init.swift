import StreamsFoundation

/// The news, whose headline three parts of a screen read.
final class News {
  let headline: Publishers.Share<AnyPublisher<String, Never>>

  init(request: AnyPublisher<String, Never>) { headline = request.share() }
}
