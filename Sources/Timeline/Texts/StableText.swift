import Foundation
import StreamsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Describes a value in a text that's the same in every run, and the same for equal values.
///
/// All records, messages and outcomes of a run describe values like this. It's the text of Swift's
/// `print`, except for what changes there from run to run:
///
/// - Sets and dictionaries are sorted by the texts of their elements or keys, and numbers by size.
/// - A type that's private or declared in a function has its plain name, such as `App.Row`.
/// - An object without a `description` of its own is described by its type, and has no address. Its
///   properties aren't read, because another thread may be changing them.
/// - Pointers and identities, such as an `ObjectIdentifier`, are described by their types.
/// - Some of Foundation's types have short texts: `5 bytes` for `Data`, `404 text/html` for a
///   response, `URLError.timedOut`, and the place in the JSON for a `DecodingError`.
///
/// All that holds at any depth: in an array of structs with sets, too. If a type has a
/// `description` or `debugDescription` of its own, that's its text, so it has to be the same in
/// every run.
///
/// From a depth of 100 on, `…` stands for a value. One with more than 100,000 parts is described by
/// its type, unless it's an array of numbers or strings.
public func stableText(_ value: Any) -> String {
  ValueDescriber.text(of: value, isNested: false)
}

/// Describes a value as ``stableText(_:)`` does inside of others: strings have quotation marks,
/// and types have the name of their module. So it tells more values apart.
package func stableDebugText(_ value: Any) -> String {
  ValueDescriber.text(of: value, isNested: true)
}

/// Describes the error that a stream fails with, as its lane shows it: like ``stableText(_:)``, but
/// a `URLError` only by its code, because that's what the lane of its request shows.
func failureText(_ error: any Error) -> String {
  (error as? URLError)?.code.name ?? stableText(error)
}

extension ValueDescriber {
  /// The text of a value of Foundation; `nil` if its own one is good enough, or if it isn't
  /// Foundation's.
  mutating func foundationText(of value: Any, _ object: AnyObject?) -> String? {
    switch object {
    case let response as HTTPURLResponse: return response.stableText
    case let error as NSError: return text(of: error, userInfo: error.userInfo)
    case let array as NSArray: return list(array)
    case let set as NSOrderedSet: return list(set)
    case let set as NSSet: return sortedList(set)
    case let pairs as NSDictionary: return sortedList(pairs.lazy.map { ($0.key, $0.value) })
    case .some: return nil
    case nil: break
    }
    switch value {
    case let data as Data: return data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case let load as (data: Data, response: URLResponse): return text(of: load)
    case let error as URLError: return "URLError.\(error.code.name)"
    case let error as DecodingError: return error.stableText
    case let error as EncodingError: return text(of: error)
    case let error as any CustomNSError: return text(of: error, userInfo: error.errorUserInfo)
    case let notification as Notification: return text(of: notification)
    case let string as AttributedString: return text(of: string)
    default: return nil
    }
  }

  /// The size of a body, after its status unless that's 200.
  private mutating func text(of load: (data: Data, response: URLResponse)) -> String {
    let size = text(of: load.data, isNested: false)
    guard let response = load.response as? HTTPURLResponse, response.statusCode != 200 else {
      return size
    }
    return "\(response.statusCode), \(size)"
  }

  /// The text of an error with the format of `NSError`, whose user info has no order; `nil` if it
  /// has another format.
  private mutating func text(of error: any Error, userInfo: [String: Any]) -> String? {
    let whole = String(describing: error)
    guard whole.hasPrefix("Error Domain="), let info = whole.firstRange(of: "UserInfo={") else {
      return nil
    }
    let pairs = userInfo.sorted { $0.key < $1.key }.map { key, value in
      "\(key)=\(text(of: value, isNested: false))"
    }
    return "\(String(whole[..<info.upperBound]).withoutContexts)\(pairs.joined(separator: ", "))}"
  }

  /// The error's own text, with the text of its value from here.
  private mutating func text(of error: EncodingError) -> String {
    let whole = String(describing: error)
    guard case .invalidValue(let value, _) = error,
      let own = whole.firstRange(of: String(reflecting: value))
    else { return whole.withoutContexts }
    return whole.replacingCharacters(in: own, with: text(of: value, isNested: true)).withoutContexts
  }

  /// The string's own text, with the attributes of each run sorted. They stand in lines with a tab.
  private func text(of string: AttributedString) -> String {
    var lines: [String] = []
    var attributes: [String] = []
    for line in String(describing: string).components(separatedBy: "\n") {
      if line.hasPrefix("\t") {
        attributes.append(line)
      } else {
        lines += attributes.sorted() + [line]
        attributes = []
      }
    }
    return (lines + attributes.sorted()).joined(separator: "\n")
  }

  private mutating func text(of notification: Notification) -> String {
    var text = "name = \(notification.name.rawValue)"
    if let object = notification.object {
      text += ", object = \(self.text(of: object, isNested: false))"
    }
    if let userInfo = notification.userInfo {
      text += ", userInfo = \(self.text(of: userInfo, isNested: false))"
    }
    return text
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
