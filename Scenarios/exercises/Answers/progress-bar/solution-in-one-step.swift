import StreamsFoundation

/// The percentage that has arrived after each chunk.
func progress(of chunks: some Publisher<Data, Never>, total: Int) -> some Publisher<Int, Never> {
  chunks
    // Change only this.
    .scan((count: 0, percent: 0)) { last, chunk in
      let count = last.count + chunk.count
      return (count, count * 100 / total)
    }
    .map { $0.percent }
}
