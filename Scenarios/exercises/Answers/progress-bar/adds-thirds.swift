import StreamsFoundation

/// The percentage that has arrived after each chunk.
func progress(of chunks: some Publisher<Data, Never>, total: Int) -> some Publisher<Int, Never> {
  chunks
    // Change only this.
    .scan(0) { $0 + $1.count }
    .map { $0 * (100 / total) }
}
