import Foundation

extension URL {
  /// Makes a URL from a string such as `https://example.com/users`.
  ///
  /// Use it for URLs that are written in the scenario's code. With `--server`, a session sends the
  /// request to that server, no matter which host the URL names.
  ///
  /// - Parameter string: The URL with its scheme and host. Anything else ends the program.
  public init(absolute string: String) {
    guard let url = URL(string: string), url.scheme != nil, url.host != nil else {
      preconditionFailure(
        "\"\(string)\" isn't an absolute URL. Write one, such as https://example.com/users")
    }
    self = url
  }
}
