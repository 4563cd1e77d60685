import StreamsFoundation

func connectable(_ headline: AnyPublisher<String, URLError>) {
  _ = headline.makeConnectable()
}
