import Foundation

extension URL {
  /// Makes a URL from a string that has to hold a whole one, such as `https://example.com/users`.
  ///
  /// For the URLs that a scenario is written with. With `--server`, a session sends the request to
  /// that server, no matter which host the URL names.
  ///
  /// - Parameter string: The URL with its scheme and host. Anything else ends the program.
  public init(absolute string: String) {
    guard let url = URL(string: string), url.scheme != nil, url.host != nil else {
      preconditionFailure(
        "\"\(string)\" isn't an absolute URL: write one, such as https://example.com/users")
    }
    self = url
  }
}
