import Foundation
import Streams
import StreamsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Describes a value in a text that's the same in every run.
///
/// Some of Foundation's own descriptions change from run to run: a response's contains its address
/// in memory, and an error's contains an unordered dictionary.
public func stableText(_ value: Any) -> String {
  switch value {
  case let value as any StablyDescribed: value.stableText
  case let response as HTTPURLResponse: response.stableText
  case let data as Data: data.count == 1 ? "1 byte" : "\(data.count) bytes"
  case let load as (data: Data, response: URLResponse): stableText(of: load)
  case let error as URLError: "URLError.\(error.code.name)"
  case let error as DecodingError: error.stableText
  default: String(describing: value)
  }
}

/// The size of a body, after its status unless that's 200.
private func stableText(of load: (data: Data, response: URLResponse)) -> String {
  let size = stableText(load.data)
  guard let response = load.response as? HTTPURLResponse, response.statusCode != 200 else {
    return size
  }
  return "\(response.statusCode), \(size)"
}

/// A value with a description that's the same in every run.
public protocol StablyDescribed {
  /// The description, which is the same in every run.
  var stableText: String { get }
}

extension Subscribers.Completion: StablyDescribed {
  /// `finished`, or `failure(…)` with the error's own stable text.
  public var stableText: String {
    switch self {
    case .finished: "finished"
    case .failure(let error): "failure(\(VirtualWorld.stableText(error)))"
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
  /// The problem and its place in the data.
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
