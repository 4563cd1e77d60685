import StreamsFoundation

/// The percentage that has arrived after each chunk.
func progress(of chunks: some Publisher<Data, Never>, total: Int) -> some Publisher<Int, Never> {
  chunks
    // Change only this.
    .scan(Data()) { $0 + $1 }
    .map { $0.count * 100 / total }
    .eraseToAnyPublisher()
}
