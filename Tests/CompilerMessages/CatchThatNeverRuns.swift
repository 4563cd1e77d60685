import StreamsFoundation

func quote(_ request: some Publisher<String, URLError>) -> some Publisher<String, Never> {
  request.replaceError(with: "").catch { _ in Just("stand-in") }
}
