import Foundation
import Streams
import StreamsFoundation

/// Puts a value into words that are the same in every run.
///
/// Foundation's own words will not do everywhere: a response is printed with its address, an error
/// with a dictionary in no order.
public func stableText(_ value: Any) -> String {
  switch value {
  case let value as any StablyDescribed: value.stableText
  case let response as HTTPURLResponse: response.stableText
  case let data as Data: data.count == 1 ? "1 byte" : "\(data.count) bytes"
  case let error as URLError: "URLError.\(error.code.name)"
  case let error as DecodingError: error.stableText
  default: String(describing: value)
  }
}

/// A value that puts itself into words that are the same in every run.
public protocol StablyDescribed {
  /// The value in words that are the same in every run.
  var stableText: String { get }
}

extension Subscribers.Completion: StablyDescribed {
  /// `finished`, or `failure(` with the error `)`.
  public var stableText: String {
    switch self {
    case .finished: "finished"
    case .failure(let error): "failure(\(ScenarioKit.stableText(error)))"
    }
  }
}

extension HTTPURLResponse {
  /// The status and the media type.
  fileprivate var stableText: String {
    "\(statusCode)" + (mimeType.map { " \($0)" } ?? "")
  }
}

extension DecodingError {
  /// What is wrong, and where.
  fileprivate var stableText: String {
    switch self {
    case .keyNotFound(let key, let context):
      "DecodingError: no \"\(key.stringValue)\"\(context.place)"
    case .valueNotFound(let type, let context):
      "DecodingError: no value of type \(type)\(context.place)"
    case .typeMismatch(let type, let context):
      "DecodingError: no \(type)\(context.place)"
    case .dataCorrupted(let context):
      "DecodingError: \(context.codingPath.isEmpty ? "not JSON" : "not valid")\(context.place)"
    @unknown default:
      "DecodingError"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String {
    codingPath.isEmpty ? "" : " at " + codingPath.map(\.stringValue).joined(separator: ".")
  }
}
