import StreamsFoundation

/// The percentage that has arrived after each chunk.
func progress(of chunks: some Publisher<Data, Never>, total: Int) -> some Publisher<Int, Never> {
  chunks
    // Change only this.
    .map { chunk in chunk.count * 100 / total }
    .scan(0) { sum, percent in sum + percent }
}
