import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// Returns the request as a session on Linux sends it: with the session's additional headers,
  /// the type of a form, and the credentials of the URL.
  ///
  /// The fields that describe the connection and the program aren't added, such as `Host`,
  /// `Content-Length` and `User-Agent`.
  ///
  /// - Parameters:
  ///   - settings: The settings of the session.
  ///   - isUpload: Whether the body is that of an upload task, which has no type of its own.
  func sent(with settings: SessionSettings, isUpload: Bool) -> URLRequest {
    var request = settings.cookies?.sortCookies(of: self) ?? self
    let hasType = request.value(forHTTPHeaderField: "Content-Type") != nil
    for (name, value) in settings.additionalHeaders.sorted(by: { $0.key < $1.key })
    where request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    if httpMethod == "POST", !isUpload, !hasType, httpBody?.isEmpty == false {
      // The session's headers don't count, so the server may get two types.
      request.addValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    if let credentials = url?.basicCredentials,
      request.value(forHTTPHeaderField: "Authorization") == nil
    {
      request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
    }
    if httpMethod == "HEAD" { request.httpBody = nil }
    return request
  }

  /// The error with which a session on Linux fails this request before it connects, and what to
  /// do; `nil` if it sends it.
  var refusalToSend: (code: URLError.Code, reason: String)? {
    if httpMethod == "GET", httpBody?.isEmpty == false {
      return (
        .dataLengthExceedsMaximum,
        "a session doesn't send a GET with a body: leave the body out, or use another method"
      )
    }
    guard let scheme = url?.scheme, scheme == "http" || scheme == "https" else {
      return (
        .unsupportedURL,
        "a session doesn't know the scheme \"\(url?.scheme ?? "")\": write http or https"
      )
    }
    return nil
  }
}

extension URL {
  /// The user and the password in the form of `Authorization: Basic`; `nil` if there's no user.
  fileprivate var basicCredentials: String? {
    guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true), let user = parts.user
    else { return nil }
    return Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
  }

  /// The URL as far as a server can tell: scheme and host in small letters, without the port that
  /// the scheme has anyway, without `.` and `..` in the path, without credentials and fragment,
  /// and with `/` instead of an empty path.
  var canonicalString: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return absoluteString
    }
    parts.scheme = parts.scheme?.lowercased()
    if let host = parts.percentEncodedHost { parts.percentEncodedHost = host.lowercased() }
    if let port = parts.port, port == ["http": 80, "https": 443][parts.scheme] { parts.port = nil }
    (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
    parts.percentEncodedPath = parts.percentEncodedPath.withoutDots
    return parts.string ?? absoluteString
  }

  /// The URL as far as a server can tell.
  var canonical: URL { URL(string: canonicalString) ?? self }
}

extension String {
  /// The path of a URL without `.` and `..`; `/` if it's empty.
  fileprivate var withoutDots: String {
    guard !isEmpty else { return "/" }
    guard contains("/.") else { return self }
    var path: [Substring] = []
    let segments = split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for segment in segments {
      switch segment {
      case ".": break
      case "..": _ = path.popLast()
      default: path.append(segment)
      }
    }
    // `/a/..` names a folder, so the slash stays.
    if segments.last == "." || segments.last == ".." { path.append("") }
    return "/" + path.joined(separator: "/")
  }
}
