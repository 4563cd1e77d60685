import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLError.Code {
  /// The name of the code in Swift, such as `timedOut`, or its number if it isn't in the list.
  package var name: String { Self.names[self] ?? "\(rawValue)" }
  private static let names: [URLError.Code: String] = [
    .unknown: "unknown", .cancelled: "cancelled", .badURL: "badURL", .timedOut: "timedOut",
    .unsupportedURL: "unsupportedURL", .cannotFindHost: "cannotFindHost",
    .cannotConnectToHost: "cannotConnectToHost",
    .networkConnectionLost: "networkConnectionLost", .dnsLookupFailed: "dnsLookupFailed",
    .httpTooManyRedirects: "httpTooManyRedirects", .resourceUnavailable: "resourceUnavailable",
    .notConnectedToInternet: "notConnectedToInternet",
    .redirectToNonExistentLocation: "redirectToNonExistentLocation",
    .badServerResponse: "badServerResponse",
    .userCancelledAuthentication: "userCancelledAuthentication",
    .userAuthenticationRequired: "userAuthenticationRequired",
    .zeroByteResource: "zeroByteResource", .cannotDecodeRawData: "cannotDecodeRawData",
    .cannotDecodeContentData: "cannotDecodeContentData",
    .cannotParseResponse: "cannotParseResponse",
    .fileDoesNotExist: "fileDoesNotExist", .fileIsDirectory: "fileIsDirectory",
    .noPermissionsToReadFile: "noPermissionsToReadFile",
    .dataLengthExceedsMaximum: "dataLengthExceedsMaximum",
    .secureConnectionFailed: "secureConnectionFailed",
    .serverCertificateUntrusted: "serverCertificateUntrusted",
    .serverCertificateHasBadDate: "serverCertificateHasBadDate",
    .serverCertificateHasUnknownRoot: "serverCertificateHasUnknownRoot",
    .serverCertificateNotYetValid: "serverCertificateNotYetValid",
  ]
}
