/// The most that a scenario takes from a server. The scenarios' own server stays far below.
enum ResponseLimits {
  /// The most bytes of one body. A longer one fails with `URLError.dataLengthExceedsMaximum`.
  ///
  /// It doesn't hold for the body of a redirect. Foundation collects that by itself, and neither
  /// tells a delegate nor counts the bytes. Only the time limit of the run ends such a body.
  static let bodyBytes = 1 << 20

  /// The most bytes of all bodies that wait for the world's thread.
  static let waitingBytes = 8 << 20

  /// The least that a chunk counts, in bytes, and what a response counts that announces another
  /// one, such as `100 Continue`. It bounds the number of both.
  static let leastBytesOfChunk = 256

  /// The most redirects of one request. After more of them, it fails with
  /// `URLError.httpTooManyRedirects`. Foundation's own limit is 20, and it traps there.
  static let redirects = 10
}
