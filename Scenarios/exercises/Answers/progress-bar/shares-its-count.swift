import StreamsFoundation

/// The percentage that has arrived after each chunk.
func progress(of chunks: some Publisher<Data, Never>, total: Int) -> some Publisher<Int, Never> {
  // Change only this.
  var count = 0
  return chunks.map { chunk in
    count += chunk.count
    return count * 100 / total
  }
}
