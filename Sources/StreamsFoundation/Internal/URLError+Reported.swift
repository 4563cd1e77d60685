import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLError {
  /// Makes the error that a session reports, with its code and its `userInfo`. If the error has
  /// another domain, or a code without a name, it's ``URLError/unknown``.
  ///
  /// A `URLProtocol` may fail with an `NSError` of the domain `NSURLErrorDomain`. On Linux, `as?
  /// URLError` is `nil` for it.
  init(reported error: (any Error)?) {
    guard let error = error.map({ $0 as NSError }), error.domain == NSURLErrorDomain else {
      self.init(.unknown)
      return
    }
    // Only Linux says that a number may have no code.
    let code: Code? = Code(rawValue: error.code)
    self.init(code ?? .unknown, userInfo: error.userInfo)
  }
}
